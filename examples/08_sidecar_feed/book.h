/* book.h - what is known of the prices: a table of symbols. One thread at a time. */
#ifndef BOOK_H
#define BOOK_H

#include <stdbool.h>

enum { BOOK_COUNT = 64 };

typedef struct book_symbol { /* by value, so that a call keeps no pointer into its caller */
    char text[16];
} book_symbol;

typedef struct book_quote {
    book_symbol symbol;
    bool asked; /* the feed has been asked for it, on the present connection */
    bool fresh; /* `price` came on the present connection */
    double price;
    char refused[48]; /* why the feed does not have it; "": it does, or has not said */
} book_quote;

typedef struct price_book {
    book_quote quotes[BOOK_COUNT];
    int count;
    long taken;        /* prices */
    long last_number;  /* on the present connection */
    long out_of_order; /* prices that were not the next one: 0, or something was lost */
} price_book;

/* Cut to what fits. */
book_symbol book_symbol_of(const char *text);

/* NULL: it is not there. */
book_quote *book_find(price_book *book, book_symbol symbol);

/* Finds it or puts it in. NULL: the book is full. */
book_quote *book_add(price_book *book, book_symbol symbol);

void book_remove(price_book *book, book_quote *quote);

/* The next one that the feed has not been asked for; NULL: there is none. */
book_quote *book_unasked(price_book *book);

/* A message of the feed: `price SYMBOL VALUE NUMBER` or `refused SYMBOL why`; others are not for us. */
void book_take(price_book *book, const char *message);

/* The connection has gone: symbols stay, prices are stale, and everything is to be asked for again. */
void book_lose(price_book *book);

#endif
