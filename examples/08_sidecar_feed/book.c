#include "book.h"

#include <stdio.h>
#include <string.h>

book_symbol book_symbol_of(const char *text)
{
    book_symbol symbol = {""};
    strncat(symbol.text, text, sizeof symbol.text - 1);
    return symbol;
}

book_quote *book_find(price_book *book, book_symbol symbol)
{
    for (int i = 0; i < book->count; i++) {
        if (strcmp(book->quotes[i].symbol.text, symbol.text) == 0) return &book->quotes[i];
    }
    return NULL;
}

book_quote *book_add(price_book *book, book_symbol symbol)
{
    book_quote *const found = book_find(book, symbol);
    if (found != NULL) return found;
    if (book->count == BOOK_COUNT) return NULL;
    book_quote *const added = &book->quotes[book->count++];
    *added = (book_quote){.symbol = symbol};
    return added;
}

void book_remove(price_book *book, book_quote *quote)
{
    *quote = book->quotes[--book->count];
}

book_quote *book_unasked(price_book *book)
{
    for (int i = 0; i < book->count; i++) {
        if (!book->quotes[i].asked) return &book->quotes[i];
    }
    return NULL;
}

void book_take(price_book *book, const char *message)
{
    book_symbol symbol;
    char why[sizeof book->quotes[0].refused];
    double price;
    long number;
    if (sscanf(message, "price %15s %lf %ld", symbol.text, &price, &number) == 3) {
        book_quote *const quote = book_find(book, symbol);
        if (quote != NULL) quote->price = price, quote->fresh = true;
        book->taken++;
        if (number != book->last_number + 1) book->out_of_order++;
        book->last_number = number;
    } else if (sscanf(message, "refused %15s %47[^\n]", symbol.text, why) == 2) {
        book_quote *const quote = book_find(book, symbol);
        if (quote != NULL) strcpy(quote->refused, why);
    }
}

void book_lose(price_book *book)
{
    for (int i = 0; i < book->count; i++) book->quotes[i].asked = book->quotes[i].fresh = false;
    book->last_number = 0;
}
