// Replaces what differs between two recordings (ids, times, secrets) by values of the same form that do not, so that a
// new recording changes only what an answer means. Equal values stay equal.

import { createHash } from 'node:crypto'

/** Times are moved so that the recording begins then. */
const BEGINNING_MS = Date.UTC(2026, 10, 21, 7, 5)
/** Further from the beginning, a number is no time. */
const RANGE_S = 400 * 86_400

const ID = /(?<![a-z2-7])[a-z2-7]{24}(?![a-z2-7])/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Of a player without a name. */
const GENERATED_NAME = /^(Player|Guest).?[a-z2-7]{4}$/
const CODE = /^[0-9]{6}$/
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Fields that are random text as a whole, and how long the replacement is. */
const RANDOM: ReadonlyMap<string, number> = new Map([
  ...(['secret', 'private_key', 'challenge', 'publicKey'] as const).map((name) => [name, 43] as const),
  ...(['nonce', 'ticket', 'code', 'installation', 'etag'] as const).map((name) => [name, 32] as const),
  ...(['token', 'refresh_token', 'guest_token'] as const).map((name) => [name, 68] as const),
])
const TOKEN_START = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.'
const SERVER = 'https://scores.example.com'

const NAMES: readonly (readonly [string, string])[] = [
  ['Quest game', 'Sky Quest'],
  ['Quest board', 'High scores'],
  ['Quest player', 'Ada'],
  ['Quest scorer', 'Grace'],
  ['Quest guest', 'Linus'],
  ['Quest bucket', 'Saves'],
  ['Quest fresh', 'Daily run'],
  ['Quest doomed', 'Old season'],
  ['/Quest-', '/save-'],
]

/** `startMs`: the time of the recording's beginning. */
export function createNormalise(startMs: number): (value: unknown) => unknown {
  const made = new Map<string, string>()
  const shiftMs = BEGINNING_MS - startMs

  function standIn(kind: string, original: string, form: (digest: Buffer) => string): string {
    const key = `${kind} ${original}`
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = form(createHash('sha512').update(`${kind} ${made.size}`).digest())
    made.set(key, fresh)
    return fresh
  }
  const id = (text: string) =>
    standIn('id', text, (digest) => [...digest.subarray(0, 24)].map((byte) => BASE32[byte % 32]).join(''))
  const uuid = (text: string) =>
    standIn('uuid', text, (digest) => {
      const hex = digest.toString('hex')
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `8${hex.slice(13, 16)}`,
        `9${hex.slice(17, 20)}`,
        hex.slice(20, 32),
      ].join('-')
    })
  const random = (name: string, text: string, length: number) =>
    standIn(name, text, (digest) => {
      const base = digest.toString('base64url').slice(0, length)
      return name === 'token' ? (TOKEN_START + base).slice(0, 100) : base
    })

  function text(value: string): string {
    let shown = value
      .replace(ID, id)
      .replace(UUID, uuid)
      .replace(TIME, moved)
      .replace(/^memory:\w+\/(.+)$/, `${SERVER}/api/files/local/$1`)
      .replace(/https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?/, SERVER)
    shown = shown.replace(GENERATED_NAME, '$1 k3vq').replace(CODE, '042117')
    for (const [from, to] of NAMES) shown = shown.replaceAll(from, to)
    return shown
  }

  function moved(time: string): string {
    const ms = Date.parse(time)
    return Math.abs(ms - startMs) < RANGE_S * 1_000 ? new Date(ms + shiftMs).toISOString() : time
  }

  function number(value: number): number {
    const isTime = Number.isInteger(value) && Math.abs(value - startMs / 1_000) < RANGE_S
    return isTime ? value + Math.floor(shiftMs / 1_000) : value
  }

  return function normalise(value: unknown, name = ''): unknown {
    if (typeof value === 'number') return number(value)
    if (Array.isArray(value)) return value.map((one) => normalise(one))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, normalise(member, field)]))
    }
    if (typeof value !== 'string') return value
    const length = RANDOM.get(name)
    if (length !== undefined && value.length >= 24) return random(name, value, length)
    return text(value)
  } as (value: unknown) => unknown
}
