/** Bodies that are no JSON, JSON that is refused, and JSON that is no object with the right fields. Each is small. */
export const BAD_JSON_BODIES: readonly string[] = [
  ...[
    '{',
    '}',
    '[1,]',
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
    '"\\ud800"',
    'NaN',
    '{"a":1e999}',
    '\ufeff\ufeff{}',
    '{}{}',
  ],
  ...[' ', "{'a':1}", '['.repeat(41) + ']'.repeat(41), 'null', '0', '"text"', '[]', '{"name":"\\u0000"}'],
]
