# uflow.mk - rules for .uflow files in a makefile of GNU make.
#
#   include $(shell pkg-config --variable=makefile uflow)
#   machine: door.o                  # made from door.uflow
#   main.o: door.h                   # a file that includes the generated header
#
# `make UFC=path/to/ufc` runs another ufc; UFCFLAGS holds its options. The generated files are beside their source.
UFC ?= $(shell pkg-config --variable=ufc uflow)
CPPFLAGS += -I. $(shell pkg-config --cflags uflow)
LDLIBS += $(shell pkg-config --libs uflow)

%.c %.h: %.uflow
	$(UFC) $(UFCFLAGS) --touch -MD -MP -MF $*.uflow.d -MT $*.c -o $*.c $<
.PRECIOUS: %.c %.h
uflow_goal := $(.DEFAULT_GOAL)
-include $(wildcard *.uflow.d)
.DEFAULT_GOAL := $(uflow_goal)
