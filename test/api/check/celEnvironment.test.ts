import { describe, expect, it } from "vitest";
import { celEnvironment } from "../../../src/api/check/cel/celEnvironment.ts";
import { untypedCelValue } from "../../../src/api/check/cel/celValue.ts";
import type { Json } from "../../../src/core/types.ts";

const environment = celEnvironment(["self", "oldSelf"]);
const ask = (source: string, self: Json = null) => environment.expression(source)({ self: untypedCelValue(self) });

describe("an expression", () => {
  it.each<{ readonly source: string; readonly self?: Json }>([
    // fields
    { source: "self.a == 'x' && self['a'] == 'x'", self: { a: "x" } },
    { source: "has(self.a) && !has(self.b) && has(self.c.d)", self: { a: "", c: { d: 0 } } },
    { source: "has(self.list[0].name)", self: { list: [{ name: "a" }] } },
    { source: "self.?a.?b.orValue('z') == 'z' && self.?a.hasValue()", self: { a: {} } },
    { source: "self.?a.value() == 1 && self[?'a'].value() == 1 && self.?b.or(self.?a).value() == 1", self: { a: 1 } },
    { source: "self.?a.optMap(v, v + 1).orValue(0) == 2 && self.?b.optMap(v, v + 1).orValue(0) == 0", self: { a: 1 } },
    { source: "self.?a.optFlatMap(v, v.?b).orValue(0) == 2", self: { a: { b: 2 } } },
    { source: "optional.of(1) == optional.of(1) && optional.none() != optional.of(1)" },
    {
      source: "'constructor' in self && self['constructor'] == 'x' && self.all(k, k != '')",
      self: { constructor: "x" },
    },
    { source: "self[0] == 1 && self.size() == 2 && size(self) == 2", self: [1, 2] },
    // equality
    { source: "self.a == self.b", self: { a: { x: 1, y: "t" }, b: { y: "t", x: 1 } } },
    { source: "self.a == self.b && !(self.a != self.b)", self: { a: [{ x: 1, y: "t" }], b: [{ y: "t", x: 1 }] } },
    { source: "self.a != self.b", self: { a: [1, 2], b: [2, 1] } },
    { source: "self.a != self.b && self.a != null && self.c == null", self: { a: 1, b: "1", c: null } },
    { source: "1 == dyn(1.0) && 1.5 != dyn(1)" },
    { source: "{'a': 1} == {'a': 1} && [] == self", self: [] },
    // order of evaluation
    { source: "self.missing == 1 || true", self: {} },
    { source: "true || self.missing == 1", self: {} },
    { source: "!(self.missing == 1 && false)", self: {} },
    { source: "self.exists(x, x.missing == 1 || x.a == 2)", self: [{ a: 1 }, { a: 2 }] },
    // macros
    { source: "self.all(x, x > 0) && self.exists(x, x == 2) && self.exists_one(x, x == 2)", self: [1, 2] },
    {
      source: "self.map(x, x * 2) == [2, 4] && self.filter(x, x > 1) == [2] && self.map(x, x > 1, x) == [2]",
      self: [1, 2],
    },
    { source: "self.all(a, self.exists_one(b, a == b))", self: ["a", "b"] },
    { source: "self.all(a, a.all(b, b in a))", self: [[1], [2, 3]] },
    // numbers
    {
      source: "self + 1 == 4 && self - 1 == 2 && self * 2 == 6 && self / 2 == 1 && self % 2 == 1 && -self == -3",
      self: 3,
    },
    { source: "self >= 1 && self > 0.5 && self <= 3 && self < 3.5", self: 3 },
    { source: "int('12') == 12 && int('-1') == -1 && int(1.9) == 1 && double('1.5') == 1.5 && double(1) == 1.0" },
    { source: "string(12) == '12' && string(true) == 'true' && string(1.5) == '1.5'" },
    // texts
    { source: "self.startsWith('Std') && self.endsWith('v3') && self.contains('_D')", self: "Std_D2_v3" },
    { source: "self.lowerAscii() == 'aÉ' && self.upperAscii() == 'AÉ'", self: "AÉ" },
    { source: "size('𝄞é') == 2 && '𝄞é'.indexOf('é') == 1 && '𝄞é'.substring(1) == 'é' && '𝄞é'.charAt(0) == '𝄞'" },
    {
      source:
        "'a/b/c'.split('/') == ['a', 'b', 'c'] && 'a/b/c'.split('/', 2) == ['a', 'b/c'] && 'ab'.split('') == ['a', 'b']",
    },
    { source: "'a/b'.split('/', 0) == [] && ''.split('/') == [''] && 'a/b'.split('/', -1).size() == 2" },
    {
      source:
        "'aXbX'.replace('X', '-') == 'a-b-' && 'aXbX'.replace('X', '-', 1) == 'a-bX' && 'ab'.replace('', '-') == '-a-b-'",
    },
    {
      source:
        "'abcabc'.lastIndexOf('b') == 4 && 'abcabc'.lastIndexOf('b', 3) == 1 && 'abc'.indexOf('c', 1) == 2 && 'a'.indexOf('z') == -1",
    },
    { source: "'abc'.indexOf('a', 9) == -1 && 'abc'.indexOf('') == 0 && 'abc'.lastIndexOf('') == 3" },
    { source: "' \\t a\\n'.trim() == 'a' && 'abc'.substring(1, 2) == 'b'" },
    { source: "['a', 'b'].join('-') == 'a-b' && ['a', 'b'].join() == 'ab'" },
    { source: "self.matches('^[a-z]+[0-9]$') && 'x1'.matches(r'\\d') && !'a\\n'.matches('^a$')", self: "abc1" },
    {
      source:
        "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('x') == '' && '1 2'.findAll('[0-9]') == ['1', '2'] && '1 2'.findAll('[0-9]', 1) == ['1']",
    },
    {
      source:
        "'%s has %d of %s, %%, %x, %.1f'.format(['a', 2, ['b', 3], 255, 1.25]) == 'a has 2 of [\"b\", 3], %, ff, 1.3'",
    },
    // lists
    {
      source:
        "[1, 2, 2].isSorted() && ![2, 1].isSorted() && [1, 2].sum() == 3 && [1, 3].max() == 3 && ['b', 'a'].min() == 'a'",
    },
    {
      source:
        "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(3) == -1 && [1] + [2] == [1, 2]",
    },
    { source: "sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 1], [1])" },
    { source: "self + ['x'] == ['a', 'x'] && 'a' in self && !('b' in self)", self: ["a"] },
    // quantities and types
    {
      source:
        "quantity('1.5').compareTo(quantity('1500m')) == 0 && quantity('1Ki') == quantity('1024') && quantity('1e3') == quantity('1k')",
    },
    {
      source:
        "quantity('2').isGreaterThan(quantity('1')) && quantity('1').isLessThan(quantity('2')) && quantity('-1').sign() == -1",
    },
    {
      source:
        "quantity('1').add(quantity('1')).asInteger() == 2 && quantity('1').sub(2).sign() == -1 && !quantity('1.5').isInteger()",
    },
    {
      source:
        "isQuantity('.5') && isQuantity('1E') && isQuantity('1e9999999') && !isQuantity('') && !isQuantity('1e') && !isQuantity('1x') && !isQuantity('.')",
    },
    { source: "quantity('0.1n') == quantity('1n') && quantity('99999999E') == quantity('9223372036854775807')" },
    { source: "type(self) == int && type('a') == string && type([1]) == list && type({'a': 1}) == map", self: 1 },
    // addresses
    { source: "isIP('10.0.0.4') && !isIP('10.0.0') && isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0')" },
    {
      source:
        "ip('10.0.0.4').family() == 4 && ip('::1').family() == 6 && ip.isCanonical('::1') && !ip.isCanonical('0::1')",
    },
    { source: "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))" },
    {
      source: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
    },
    {
      source:
        "cidr('10.1.2.3/8').prefixLength() == 8 && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
    },
    { source: "string(cidr('10.0.0.0/8')) == '10.0.0.0/8' && string(ip('0::1')) == '::1'" },
    {
      source:
        "ip('127.0.0.1').isLoopback() && ip('::1').isLoopback() && ip('0.0.0.0').isUnspecified() && ip('10.0.0.1').isGlobalUnicast()",
    },
    {
      source:
        "ip('169.254.1.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.0.1').isGlobalUnicast()",
    },
  ])("$source", ({ source, self = null }) => expect(ask(source, self)).toEqual({ ok: true, value: true }));

  it.each<{ readonly source: string; readonly self?: Json; readonly says: string }>([
    { source: "self.missing == 1", self: {}, says: "No such key" },
    { source: "self[3] == 1", self: [1], says: "index out of bounds" },
    { source: "self.startsWith('a')", self: 1, says: "no such overload" },
    { source: "cidr('nothing').containsIP('10.0.0.1')", says: "parse error" },
    { source: "ip('10.0.0') == ip('10.0.0.1')", says: "parse error" },
    { source: "int('') == 0", says: "type conversion error" },
    { source: "int('0x1') == 1", says: "type conversion error" },
    { source: "int('9223372036854775808') > 0", says: "integer overflow" },
    { source: "9223372036854775807 + 1 > 0", says: "integer overflow" },
    { source: "1 / 0 == 1", says: "division by zero" },
    { source: "'abc'.substring(4) == ''", says: "index out of range" },
    { source: "[].max() == 1", says: "empty list" },
    { source: "self.exists_one(x, x.a == 1)", self: [{ a: 1 }, {}], says: "No such key" },
    { source: "self.?a.value() == 1", self: {}, says: "not present" },
    { source: "'%d'.format(['a']) == 'a'", says: "no such overload" },
    { source: "'%s'.format([]) == ''", says: "out of range" },
  ])("$source is an error", ({ source, self = null, says }) =>
    expect(ask(source, self)).toEqual({ ok: false, error: expect.stringContaining(says) }),
  );

  it.each([
    { source: "self ==", says: "Unexpected token" },
    { source: "other == 1", says: "Unknown variable" },
    { source: "self.distinct() == []", says: "no matching overload" },
    { source: "has(self)", says: "name of a field" },
  ])("$source is none", ({ source, says }) => expect(() => environment.expression(source)).toThrow(says));

  it("may stand for another", () => {
    const inlined = new Map([["name", environment.dialect("self.a + '!'")]]);
    expect(environment.expression("variables.name == 'x!'", inlined)({ self: new Map([["a", "x"]]) })).toEqual({
      ok: true,
      value: true,
    });
  });
});
