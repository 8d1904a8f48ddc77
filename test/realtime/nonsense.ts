// Frames that no client would send: protocol fragments in random order, and complete frames with one error.

const PIECES = [
  '4',
  '2',
  '3',
  '0',
  '1',
  '5',
  '42',
  '451-',
  '43',
  '["send"',
  ']',
  '{',
  '}',
  ',',
  '"',
  '[',
  'null',
  '7',
  '-',
]
const WHOLE = [
  '42["send",{"room":"x","data":1}]',
  '42["join",{"room":{}}]',
  '42["create",{"name":7}]',
  '42["rooms",null,null]',
  '42["__proto__",{}]',
  '42["constructor",{"__proto__":{"x":1}}]',
  '42[7,{}]',
  '42[]',
  '42',
  '4299999999999999999999["rooms",{}]',
  `42["send",{"room":"x","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`,
  '42["error",{}]',
  '42["connect",{}]',
  '40/other,',
  '44{"message":"no"}',
  '451-["send",{"room":"x","data":{"_placeholder":true,"num":0}}]',
  '2probe',
  '6',
  '1',
]

/** The same in every run. */
export function nonsense(seed: number): () => string {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  return () => {
    if (next(3) === 0) return WHOLE[next(WHOLE.length)] ?? ''
    return Array.from({ length: 1 + next(8) }, () => PIECES[next(PIECES.length)]).join('')
  }
}
