/* book.h - the known prices: a table of symbols. Thread: one at a time. */
#ifndef BOOK_H
#define BOOK_H

#include <stdbool.h>

enum { BOOK_COUNT = 64 };

typedef struct book_symbol { /* by value, so that a call keeps no pointer to its caller */
    char text[16];
} book_symbol;

typedef struct book_quote {
    book_symbol symbol;
    bool asked; /* requested from the feed on the present connection */
    bool fresh; /* `price` arrived on the present connection */
    double price;
    char refused[48]; /* why the feed refused it; "": it did not */
} book_quote;

typedef struct price_book {
    book_quote quotes[BOOK_COUNT];
    int count;
    long taken;        /* prices */
    long last_number;  /* on the present connection */
    long out_of_order; /* prices with an unexpected number; not 0: messages were lost */
} price_book;

/* Truncates to the size. */
book_symbol book_symbol_of(const char *text);

/* Returns: NULL if the symbol is not in the book. */
book_quote *book_find(price_book *book, book_symbol symbol);

/* Finds or adds a symbol. Returns: NULL if the book is full. */
book_quote *book_add(price_book *book, book_symbol symbol);

void book_remove(price_book *book, book_quote *quote);

/* Returns: the next symbol that was not requested from the feed; NULL: there is none. */
book_quote *book_unasked(price_book *book);

/* Reads a message of the feed: `price SYMBOL VALUE NUMBER` or `refused SYMBOL why`. Ignores other messages. */
void book_take(price_book *book, const char *message);

/* Handles the end of a connection: symbols stay, prices become stale, and all symbols must be requested again. */
void book_lose(price_book *book);

#endif
