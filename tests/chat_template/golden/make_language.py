#!/usr/bin/env python3
"""Small templates, feature by feature, as Jinja2 renders them: golden values.

    python make_language.py > language.jsonl

One JSON object a line: {"template", "text"}; the text is null where Jinja raises. VARIABLES is the
first line.
"""

import json

import environment

VARIABLES = {
    "messages": [{"role": "system", "content": " Be brief.\n"},
                 {"role": "user", "content": "第三条 <|im_end|>"},
                 {"role": "assistant", "content": None}],
    "yes": True, "none_here": None, "two": 2, "half": 0.5, "big": 12345678901234567890.0,
    "word": "Hello World", "spaced": " \u3000 a b\u00a0", "numbers": [3, 1, 2, 3],
    "words": ["b", "A", "c", "a"], "map": {"b": 1, "a": [1, "x"], "items": 2}, "eos_token": "</s>"}

LEXER = [
    "a\n", "a\n\n", "a\r\nb\rc\n", "{{ 1 }}\n{{ 2 }}", "  {% if yes %}  \n  x\n  {% endif %}\n y",
    "a {%- if yes -%} b {%- endif -%} c", "  {%+ if yes %} x {% endif +%}\n y", "a {{- 1 -}} b",
    "  {# c #}\n  x {# c #} y", "x {#- c -#} y", "{#-#}x{##}y",
    "{% raw %}{{ x }} {% y %}{% endraw %}", "a {%- raw -%} {{ x }} {%- endraw -%} b",
    "{% raw %}\n x\n {% endraw %}\n y", "{", "{ {", "}}", "{{ '}}' }}",
    "{{ {'a': {'b': 1}}['a']['b'] }}", "{{ {'a': {}}}}", "{% set x = '%}' %}{{ x }}",
    '{{ \'a\' \'b\' "c" }}', '{{ \'a\\n\\t\\\\\\\'\\"\\x41\\u7b2c\\U0001f600\\101\\q\' }}',
    "{{ 'a\nb' }}", "{{ 1_000 + 1.5e2 }}", "{{ [1, [2, 3]].1.0 }}", "{{ }}", "{{ 1 2 }}",
    "{{ ( }}", "{{ [1, 2) }}", "{% if yes %}", "{% endif %}", "{{ 'a }}", "{{ a ! b }}", "{% %}",
    "\n\n{% if yes %}\n\n{% endif %}\n\n", "\t{% if yes -%}\t\nx\n\t{%- endif %}\n",
    "{% if yes %}\n  {{ 1 }}\n{% endif %}\n{{ 2 }}\n", "a\n  {%- set q = 1 %}\n  b",
    "{{- '  x' }}", "x\n  {% raw %}y{% endraw %}", "{# unfinished",
    "{%- if yes %}{%- else %}{% endif -%}  z",
]
EXPRESSIONS = [
    "1 + 2 * 3 - 4", "7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3", "7 / 2", "2 ** 3 ** 2", "-2 ** 2",
    "7.5 // 2, -7.5 % 2, 1e16, 1e15, 0.1 + 0.2, 1e-5, 100.0, 1e22", "1 / 0", "1 % 0", "1 // 0.0",
    "'a' + 'b' ~ 1 ~ none ~ true", "'a' + 1", "'ab' * 2, 2 * 'ab', 'ab' * -1",
    "[1] + [2], [1] * 2", "(1,) + (2,)", "[1] + (2,)", "none + 1", "missing + 1", "missing ~ 'x'",
    "'x' ~ missing.y", "1 < 2 < 3, 1 < 2 > 3, 1 == 1.0 == true",
    "'a' < 'b', 'a' == 'a', 'B' < 'a', [1, 2] < [1, 3]", "1 < 'a'", "none < 1",
    "'a' == 1, none == none, missing == missing, [] == ()", "{'a': 1} == {'a': 1.0}",
    "1 in numbers, 9 not in numbers, 'a' in map, 'ell' in word", "1 in 'a'", "1 in 2",
    "1 in missing", "not yes, not not yes", "yes and 'x', 0 or 'y', '' and 1",
    "yes or missing.x.y", "not 1 == 2", "not 1 in numbers", "1 if yes else 2", "1 if false",
    "1 if false else 2 if false else 3", "(1 if yes) ~ 'z'", "[1, 2, 3,]", "{'a': 1, 'b': [none]}",
    "{'a': 1, 'a': 2}", "{1: 'x', none: 'y', (1, 2): 'z'}", "{[]: 1}", "(1, 'a', none), (1,), ()",
    '[1, \'it\\\'s\', "q\\"", \'both \\\' "\', \'\\n\\x01条\']', "[1.0, true, none, missing]",
    "word.upper()", "word['upper']()", "word.missing", "word.missing.more", "word[0], word[-1]",
    "word[99]", "word[1:3], word[:-1], word[::-1], word[-3:], word[::2], word[5:1], word[9::-3]",
    "numbers[1:], numbers[::-1], numbers[-1], (1, 2, 3)[1:]", "numbers['x']", "numbers[none]",
    "messages[1].content[:2]", "map.b, map['b'], map['items'], map.items == 2",
    "map.missing, map['q']", "none.x", "none['x']", "missing.x", "missing['x']", "missing[0]",
    "two.x", "''.__class__", "''.__class__.__mro__", "map.__class__", "numbers.append(4)",
    "map.update({})", "map.pop('b')", "range(3)|list, range(1, 3)|list, range(5, 0, -2)|list",
    "range(0)|list", "range(1, 2, 0)", "range(100001)", "range('a')", "range(100000)|length",
    "missing()", "'a'()", "dict(a=1, b='x')", "namespace(a=1).a", "namespace({'b': 2}, a=1).b",
    "raise_exception('no')",
    "strftime_now('%d %b %Y'), strftime_now('%Y-%m-%d %H:%M:%S %A %B %j %%')", "-half, +two, - -1",
    "9223372036854775807", "1 if missing else 2", "missing is defined and missing.x", "[][0]",
    "(messages|first).role", "-1|abs, (-1)|abs", "1 + 2|string|length", "'%s' is defined",
    "[1, 2, 3] is iterable and not 3 is iterable", "1.0 == 1, 1 is integer, 1.0 is float",
    "half > 0 and half < 1", "true + true, true * 3, false ~ ''", "two is divisibleby 2",
    "('a', 'b') == ('a', 'b'), ['a'] == ['a']", "messages[0] == messages[0]", "big",
    "'\\u200b'|list",
]
FILTERS = [
    "spaced|trim ~ '|'", "'xxaxx'|trim('x')", "word|upper, word|lower, 'straße'|upper, 'ΑΣ'|lower",
    "'hELLO wORLD'|capitalize, 'éa'|capitalize", "'hello-world (foo) it\\'s'|title", "3|trim",
    "missing|trim ~ 'x', missing|upper ~ 'y', none|upper", "word|length, '条款'|length, map|length",
    "3|length", "missing|length, missing|list", "words|join, words|join(', '), numbers|join('-')",
    "messages|join(',', attribute='role')", "messages|map(attribute='role')|join",
    "'abc'|join('.')", "numbers|first, numbers|last, []|first ~ 'x', 'abc'|first, 'abc'|last",
    "3|first", "'ab'|list, map|list, (1, 2)|list", "3|list", "1|string + 'x'",
    "'42'|int, ' 4.9 '|int, 'x'|int",
    "'x'|int(7), none|int, 3.9|int, '-3'|int, '1_0'|int, '+5'|int", "[]|int", "missing|int",
    "'1.5'|float, 'x'|float, 2|float, '1e3'|float, none|float(1.0), 'nan'|float, '-inf'|float",
    "word|replace('o', '0'), word|replace('o', '0', 1), 'aaa'|replace('a', "
    "''), 'ab'|replace('', '-')",
    "missing|default('d'), none|default('d'), ''|default('d', true), none|d"
    "('e', true), 0|default(1)",
    "missing|default ~ 'x'", "missing.x|default('d')", "messages|selectattr('role')|list|length",
    "messages|selectattr('content', 'none')|map(attribute='role')|list",
    "messages|selectattr('role', 'equalto', 'user')|list|length",
    "messages|selectattr('role', 'in', ['user', 'system'])|list|length",
    "messages|rejectattr('role', '==', 'user')|list|length", "messages|selectattr('x')|list",
    "messages|selectattr('x', 'defined')|list", "messages|rejectattr('x', 'defined')|list|length",
    "numbers|select('odd')|list, numbers|reject('gt', 1)|list, [0, 1, '']|select|list",
    "words|map('upper')|list, words|map('replace', 'a', 'z')|list",
    "numbers|map('string')|join('+')", "messages|map(attribute='x', default='n')|list",
    "messages|map(attribute='content.0')|list", "map|items|list", "missing|items|list",
    "3|items|list", "map|dictsort, map|dictsort(reverse=true)",
    "{'B': 1, 'a': 3, 'c': 2}|dictsort(true), {'B': 2, 'a': 1}|dictsort(by='value')",
    "words|sort, words|sort(case_sensitive=true), numbers|sort(reverse=true)", "[1, 'a']|sort",
    "messages|sort(attribute='role')|map(attribute='role')|list", "numbers|unique|list",
    "['a', 'A', 'b']|unique|list, ['a', 'A']|unique(true)|list",
    "numbers|reverse|list, word|reverse",
    "numbers|min, numbers|max, numbers|sum, []|sum, words|max", "[1, 2]|sum(start=10)",
    "2.5|round, 3.5|round, 2.567|round(2), 2.1|round(0, 'ceil'), 2.9|round("
    "method='floor'), 3|round",
    "-5|abs, -1.5|abs", "'a'|abs", "'x'|round", "'a\nb\n\nc'|indent, 'a\nb'|indent(2, true)",
    "'a\n\nb'|indent(2, blank=true), 'a\nb'|indent('> ')", "map|tojson, messages|tojson",
    "map|tojson(indent=2)", "[[], {}, [1]]|tojson(indent=1)",
    "{'b': 1, 'a': 2}|tojson(sort_keys=true)", '\'é"\\\\\\n\\x01\\x7f<>&\\\'\'|tojson',
    "'é😀'|tojson(ensure_ascii=true)", "missing|tojson",
    "{'a': 1, 'b': [1, 2]}|tojson(separators=(',', ':'))", "[1.0, 1e100, none, true]|tojson",
    "{1: 2, none: 3, true: 4, 1.5: 5}|tojson", "(1, 2)|tojson", "range(3)|tojson", "word|safe",
    "numbers|batch(3)|list, numbers|batch(3, 'x')|list", "word|attr('x') is undefined",
    "word|trim()", "word|nosuch", "numbers|map('nosuch')|list", "word|trim(1, 2)",
    "numbers|map|list", "1|list", "[[1, 'b'], [1, 'a']]|sort",
    "'a,b'.split(',')|map('trim')|list|tojson", "['a']|join|upper", "'x'|default(missing.y)",
    "[3, 1]|sort|first|string ~ '!'", "'ab'|map('upper')|join('.')",
]
TESTS = [
    "two is defined, missing is defined, missing is undefined, missing is not defined",
    "none is none, none_here is none, missing is none", "word is string, two is string",
    "map is mapping, messages is mapping",
    "word is iterable, two is iterable, missing is iterable",
    "word is sequence, map is sequence, two is sequence",
    "two is number, yes is number, '2' is number", "yes is boolean, 1 is boolean",
    "yes is true, 1 is true, false is false, 0 is false",
    "two is integer, half is float, yes is integer", "two is odd, two is even, 3 is odd",
    "two is equalto 2, two is eq(3), two == 2, 'a' is in ['a'], 'a' is in('abc')",
    "two is ne 3, two is lt 3, two is gt(1), two is le 2, two is ge 3",
    "'A' is upper, 'a' is lower", "range is callable, word.upper is callable, two is callable",
    "two is sameas none, none is sameas none", "two is nosuch",
    "two is defined and two is not string", "two is divisibleby 0", "'a' is odd",
    "two is string is string", "(two is string) is boolean", "'trim' is filter, 'odd' is test",
]
METHODS = [
    "spaced.strip() ~ '|', spaced.lstrip() ~ '|', spaced.rstrip() ~ '|'", "'xyax'.strip('xy')",
    "'条a条'.strip('条'), 'abc'.rstrip('c'), 'abc'.lstrip('ab')", "'a b  c '.split()",
    "'a b  c '.split(' '), 'a,b,c'.split(',', 1), 'a,b,c'.rsplit(',', 1), 'a b c'.split(none, 1)",
    "'a'.split('')", "'a b c'.rsplit(), ' a b c '.rsplit(none, 1)", "''.split(), ''.split(',')",
    "'a\nb\r\nc\x0bd'.splitlines(), 'a\n'.splitlines(true), ''.splitlines()", "'-'.join(words)",
    "'-'.join([1])", "'-'.join('abc')",
    "word.startswith('He'), word.endswith('x'), word.startswith('')",
    "word.startswith(('x', 'H')), word.endswith(('d',))", "word.startswith(['H'])",
    "word.replace('l', 'L'), word.replace('l', 'L', 2), word.replace('', '.')",
    "word.replace('l')",
    'word.upper(), word.lower(), word.title(), \'hELLO\'.capitalize(), "it\'s x2y".title()',
    "word.find('o'), word.rfind('o'), word.find('q'), '条款'.find('款')",
    "word.count('l'), word.count('')",
    "word.removeprefix('He'), word.removesuffix('ld'), word.removeprefix('x')",
    "'A1'.isupper(), 'a'.islower()", "'12'.isdigit(), ''.isdigit(), '1a'.isdigit()",
    "map.get('b'), map.get('q'), map.get('q', 5)",
    "{'a': 1}.items()|list, {'a': 1}.keys()|list, {'a': 1}.values()|list",
    "{'a': 1}.items()|length", "numbers.index(2), numbers.count(3)", "numbers.index(9)",
    "word.strip(1)", "word.nosuch()", "word.upper(1)", "'a'.split(sep=',', maxsplit=1)",
    "(1, 2).count(1)", "{'a': 1}.items()[0] is defined",
]
STATEMENTS = [
    "{% for x in numbers %}{{ x }}{{ ',' if not loop.last }}{% endfor %}",
    "{% for x in [] %}a{% else %}b{% endfor %}{% for x in missing %}a{% else %}c{% endfor %}",
    "{% for x in numbers %}{{ loop.index }}{{ loop.index0 }}{{ loop.revinde"
    "x }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length "
    "}}{{ loop.depth }};{% endfor %}",
    "{% for x in numbers %}{{ loop.previtem }}<{{ x }}<{{ loop.nextitem }};{% endfor %}",
    "{% for x in numbers %}{{ loop.previtem is defined }}{{ loop.cycle('a',"
    " 'b') }}{{ loop.changed(x > 1) }};{% endfor %}",
    "{% for k, v in map.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in map %}{{ k }}{% endfor %}",
    "{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% endfor %}",
    "{% for (a, b) in [(1, 2)] %}{{ a }}{% endfor %}", "{% for a, b in [1] %}{% endfor %}",
    "{% for a, b in [[1, 2, 3]] %}{% endfor %}",
    "{% for x in numbers if x > 1 %}{{ x }}{{ loop.index }}{{ loop.length }"
    "};{% else %}n{% endfor %}",
    "{% for x in numbers if x > 9 %}{% else %}none{% endfor %}", "{% for x in 3 %}{% endfor %}",
    "{% for c in '条a' %}[{{ c }}]{% endfor %}",
    "{% for x in numbers %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% for x in numbers %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{"
    "{ loop.index }}{% endfor %}",
    "{% for x in numbers %}{% for y in words %}{{ loop.depth0 }}{% break %}"
    "{% endfor %}{{ x }}{% endfor %}",
    "{% break %}", "{% for x in numbers %}{% macro f() %}{% break %}{% endmacro %}{% endfor %}",
    "{% set x = 1 %}{% for i in numbers %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}",
    "{% set x = 1 %}{% if yes %}{% set x = 2 %}{% endif %}{{ x }}",
    "{% if false %}{% set word = 1 %}{% endif %}{{ word }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "{% set a = 1, 2 %}{{ a }}",
    "{% set ns = namespace(x=1) %}{% for i in numbers %}{% set ns.x = ns.x "
    "+ i %}{% endfor %}{{ ns.x }}",
    "{% set map.x = 1 %}", "{% set missing.x = 1 %}",
    "{% set ns = namespace() %}{{ ns.x is defined }}{% set ns.x = [ns] %}{{ ns.x|length }}",
    "{% set x %}a{{ two }}\n{% endset %}[{{ x }}]{{ x is string }}",
    "{% set x | upper | trim %} a {% endset %}[{{ x }}]", "{% set true = 1 %}",
    "{% set x = y = 1 %}", "{% if no is defined %}a{% elif yes %}b{% else %}c{% endif %}",
    "{% if missing %}a{% elif none_here %}b{% else %}c{% endif %}", "{% if %}{% endif %}",
    "{% macro f(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ f(1) }} {{ f(1, b"
    "=3) }} {{ f() }} {{ f(b=1, a=0) }}",
    "{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}", "{% macro f(a) %}{% endmacro %}{{ f(q=2) }}",
    "{% macro f(a, b=a) %}{{ b }}{% endmacro %}{{ f(5) }}", "{% macro f(a=1, b) %}{% endmacro %}",
    "{% macro f() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ f() }}",
    "{{ f() }}{% macro f() %}{% endmacro %}",
    "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}",
    "{% macro f() %}[{{ caller() }}]{% endmacro %}{% call f() %}x{{ two }}{% endcall %}",
    "{% macro f() %}{% for i in numbers %}{{ caller(i) }}{% endfor %}{% end"
    "macro %}{% call(i) f() %}<{{ i }}>{% endcall %}",
    "{% call two %}{% endcall %}",
    "{% macro f() %}{{ word }}{% set word = 1 %}{% endmacro %}{{ f() }}{{ word }}",
    "{% filter upper %}a{{ word }}{% endfilter %}",
    "{% filter replace('a', 'b') | upper %}aa{% endfilter %}",
    "{% with a = 1, b = word %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}",
    "{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q is defined }}",
    "{% generation %}a{{ word }}{% endgeneration %}\nb", "{% nosuch %}", "{% include 'x' %}",
    "{% for m in messages %}{% set ns = namespace(a=loop.index) %}{{ ns.a }}{% endfor %}",
    "{{ messages[0].content }}{{ messages[-1]['content'] }}", "{{ (messages | last).role }}",
    "{{ loop is defined }}", "{% set x = [] %}{% set _ = x.append(1) %}{{ x }}",
    "{% for x in range(2) %}{% for y in range(2) %}{{ x }}{{ y }}{{ loop.in"
    "dex }} {% endfor %}{% endfor %}",
    "{% if yes %}{% if no %}{% else %}x{% endif %}{% endif %}", "{% else %}", "{% endfor %}",
    "{% if yes %}{% endfor %}",
    "{% for i in numbers %}{% if loop.first %}{% macro f() %}{{ i }}{% endm"
    "acro %}{{ f() }}{% endif %}{% endfor %}",
    "{% set f = word.upper %}{{ f() }}",
    "{{ 'a' if messages is defined and messages|length > 2 else 'b' }}",
]


def main():
    templates = list(LEXER) + list(STATEMENTS)
    for expression in EXPRESSIONS + FILTERS + TESTS + METHODS:
        templates.append("{{ " + expression + " }}")
    jinja = environment.make()
    print(json.dumps(VARIABLES))
    for template in templates:
        text = environment.rendered(jinja, template, VARIABLES)
        print(json.dumps({"template": template, "text": text}))


if __name__ == "__main__":
    main()
