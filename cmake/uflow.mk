# uflow.mk - rules for .uflow files in a makefile of GNU make.
#
#   include $(shell pkg-config --variable=makefile uflow)
#   machine: door.o                  # made from door.uflow
#   main.o: door.h                   # a file that includes the generated header
#
# `make UFC=path/to/ufc` runs another ufc; UFCFLAGS holds its options. The generated files are beside their source.
# Those of an imported file are made first, and after a change of it all that depends on it is made again.
UFC ?= $(shell pkg-config --variable=ufc uflow)
CPPFLAGS += -I. $(shell pkg-config --cflags uflow)
CFLAGS += -ffunction-sections -fdata-sections
LDLIBS += $(shell pkg-config --libs uflow)

uflow_goal := $(.DEFAULT_GOAL)
%.c %.h: %.uflow
	$(UFC) $(UFCFLAGS) --touch -o $*.c $<
.PRECIOUS: %.c %.h

# A word `src/cell|axis.uflow` for each import below the current directory. Its header is that of the file in the
# directory of the importing one, or in one that UFCFLAGS names with -I.
uflow_import := s/^\.\/\(.*\)\.uflow:[[:space:]]*import[[:space:]]*"\([^"]*\)".*/\1|\2/p
uflow_places = $(dir $1) $(patsubst -I%,%/,$(filter -I%,$(subst -I ,-I,$(UFCFLAGS))))
uflow_imported = $(abspath $(firstword $(wildcard $(addsuffix $2,$(uflow_places)))))
uflow_header = $(patsubst $(CURDIR)/%,%,$(patsubst %.uflow,%.h,$(call uflow_imported,$1,$2)))
uflow_needs = $1.c $1.h: $(call uflow_header,$1,$2)
$(foreach word,$(shell grep -r --include='*.uflow' -H '^[[:space:]]*import' . | sed -n '$(uflow_import)'),\
    $(eval $(call uflow_needs,$(firstword $(subst |, ,$(word))),$(lastword $(subst |, ,$(word))))))
.DEFAULT_GOAL := $(uflow_goal)
