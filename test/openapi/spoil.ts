// Makes a call wrong in one place: a field, the bytes of the body, a parameter, an id in the path.

import { BAD_JSON_BODIES } from '../front-door/odd-json.ts'
import { oddText } from '../front-door/odd-texts.ts'
import type { Random } from '../random.ts'

const NOT_UTF_8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
const TOO_LARGE = `{"a":"${'x'.repeat(66_000)}"}`
export const WRONG_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=latin1',
  'multipart/form-data',
  '',
]
const ODD_VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    [null],
    [[]],
    { a: 1 },
    '',
    ' ',
    '-0',
    '01',
  ],
  ...['1e9', '9'.repeat(31), 'x'.repeat(5_000), '\u0000', '\u202e', 'e\u0301', '2026-02-30', '*', '../..', '%00'],
]
const BADLY_ENCODED = ['%', '%zz', '%ff', '%C0%80', '%ED%A0%80', '%2F', '%2e%2e', '%00', '%250', '~']
const UNKNOWN_ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

export type Payload = string | Buffer | undefined

export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))

/** A body that differs from a good one; `good` is undefined where the operation takes none. */
export function spoiltBody(good: unknown, random: Random): Payload {
  const chosen = random.next()
  if (chosen < 0.15) return random.pick(BAD_JSON_BODIES)
  if (chosen < 0.18) return NOT_UTF_8
  if (chosen < 0.19) return TOO_LARGE
  if (chosen < 0.24) return undefined
  const fields = typeof good === 'object' && good !== null ? Object.entries(good) : []
  const changed = random.any(fields)?.[0] ?? 'field'
  if (chosen < 0.45) return JSON.stringify(Object.fromEntries(fields.filter(([name]) => name !== changed)))
  if (chosen < 0.6) return JSON.stringify({ ...Object.fromEntries(fields), [unknownName(random)]: 1 })
  return JSON.stringify({ ...Object.fromEntries(fields), [changed]: oddValue(random) })
}

/** Fields of `__proto__` are in the broken texts: an object literal cannot hold one. */
const unknownName = (random: Random): string =>
  random.pick(['unknown', 'id', 'constructor', '', 'a/b~c', 'é', 'toString'])

const oddValue = (random: Random): unknown => (random.chance(0.3) ? oddText(random) : random.pick(ODD_VALUES))

/** A query that differs from a good one: a parameter is missing, odd, twice there, or unknown. */
export function spoiltQuery(good: readonly string[], names: readonly string[], random: Random): string[] {
  const at = random.below(good.length + 1)
  const odd = random.chance(0.2) ? random.pick(BADLY_ENCODED) : encoded(String(oddValue(random)))
  const name = random.any(names) ?? 'x'
  const changed = [...good]
  const chosen = random.next()
  if (chosen < 0.2) changed.splice(at, 1)
  else if (chosen < 0.4) changed.push(`${random.pick(['unknown', '__proto__', 'constructor', ''])}=1`)
  else if (chosen < 0.5) changed.push(...good.slice(at, at + 1))
  else if (chosen < 0.6) changed.push(name)
  else changed.splice(at, 1, `${name}=${odd}`)
  return changed
}

/** Another id than the right one, as it appears in a path. */
export function otherId(random: Random, ofAnotherGame: string | null): string {
  const chosen = random.next()
  if (chosen < 0.4 && ofAnotherGame !== null) return ofAnotherGame
  if (chosen < 0.7) return Array.from({ length: 22 }, () => UNKNOWN_ID_CHARACTERS[random.below(64)]).join('')
  // An empty one would make it the path of another operation.
  return random.chance(0.5) ? random.pick(BADLY_ENCODED) : encoded(oddText(random)) || 'x'
}
