# SPDX-License-Identifier: MIT
"""Colours code by a TextMate grammar: begin, end, match, captures and include, which editors/vscode/syntaxes uses."""
import html
import json
import re

# The first part of a scope that fits gives the class in site.css.
CLASSES = (("comment", "comment"), ("string", "string"), ("constant.character", "escape"), ("constant.other", "escape"),
           ("constant", "number"), ("keyword.operator.word", "event"), ("keyword.operator", ""),
           ("keyword.other", "structure"), ("keyword", "keyword"), ("storage", "type"), ("entity", "name"),
           ("variable.language", "bound"))


def compiled(pattern):
    """Python spells named groups in its own way."""
    return re.compile(re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern), re.M)


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file: self.root = json.load(file)
        self.expressions = {}

    def expression(self, pattern):
        if pattern not in self.expressions: self.expressions[pattern] = compiled(pattern)
        return self.expressions[pattern]

    def rules(self, patterns):
        """The rules of a list, with those that it includes."""
        for rule in patterns:
            if "include" in rule:
                included = self.root["repository"][rule["include"][1:]]
                if "begin" in included or "match" in included: yield included
                else: yield from self.rules(included["patterns"])
            else:
                yield rule

    def spans(self, text, start):
        """Pieces of the text with their scopes, from the rules of the grammar or of one entry of its repository."""
        patterns = self.root["patterns"] if start == "uflow" else [{"include": "#" + start}]
        out, stack, at = [], [{"patterns": patterns}], 0
        while at < len(text):
            top = stack[-1]
            scope = top.get("name", "")
            best, rule = None, None
            if "end" in top: best = self.expression(top["end"]).search(text, at)
            for candidate in self.rules(top.get("patterns", ())):
                found = self.expression(candidate.get("match") or candidate["begin"]).search(text, at)
                if found and (best is None or found.start() < best.start()): best, rule = found, candidate
            if best is None:
                out.append((text[at:], scope))
                break
            out.append((text[at:best.start()], scope))
            self.add(out, best, rule or top, "endCaptures" if rule is None else "captures", scope)
            if rule is None: stack.pop()
            elif "begin" in rule: stack.append(rule)
            if best.end() == at and rule is not None and "match" in rule: # nothing was taken
                out.append((text[at], scope))
                at += 1
            else:
                at = best.end()
        return out

    def add(self, out, found, rule, captures, outer):
        """The text of a match: its captures with their scopes, the rest with that of the rule."""
        scope, at = rule.get("name", outer), found.start()
        groups = rule.get("beginCaptures" if "begin" in rule and captures == "captures" else captures, {})
        for number, capture in sorted(groups.items(), key=lambda item: int(item[0])):
            begin, end = found.span(int(number))
            if begin < at: continue
            out += [(found.string[at:begin], scope), (found.string[begin:end], capture["name"])]
            at = end
        out.append((found.string[at:found.end()], scope))

    def html(self, text, start="uflow"):
        parts = []
        for piece, scope in self.spans(text, start):
            name = next((kind for prefix, kind in CLASSES if scope.startswith(prefix)), "")
            escaped = html.escape(piece, quote=False)
            if piece: parts.append(f'<span class="{name}">{escaped}</span>' if name else escaped)
        return "".join(parts)
