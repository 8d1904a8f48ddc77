// Damages a file that is built from the log, its WAL or its checksums, in one of the ways in which disks, copies and
// people do.

import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { Random } from '../random.ts'
import { PAGE_BYTES } from './damage-pages.ts'
import { DERIVED_ENDS } from './derived-files.ts'

/** `older` has copies of the same files from before. Returns a text that names the damage. */
export function damageFile(path: string, older: readonly string[], random: Random): string {
  const ends = DERIVED_ENDS.filter((end) => existsSync(`${path}${end}`))
  const end = random.pick(ends)
  const how = random.pick(Object.keys(WAYS) as (keyof typeof WAYS)[])
  return `${how} in file${end}: ${WAYS[how](path, end, random, older)}`
}

type Way = (path: string, end: string, random: Random, older: readonly string[]) => string

const WAYS = {
  'flipped bits': changing((bytes, random) => {
    const flips = Array.from({ length: 1 + random.below(3) }, () => random.below(8 * bytes.length))
    for (const bit of flips) bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return `bits ${flips.join(', ')}`
  }),
  'a page of one byte': changing((bytes, random) => {
    const at = pageIn(bytes, random)
    const byte = random.pick([0, 0xff])
    bytes.subarray(at, at + PAGE_BYTES).fill(byte)
    return `${byte} at ${at}`
  }),
  'a random page': changing((bytes, random) => {
    const at = pageIn(bytes, random)
    for (let i = at; i < Math.min(bytes.length, at + PAGE_BYTES); i += 1) bytes.writeUInt8(random.below(256), i)
    return `at ${at}`
  }),
  'two pages exchanged': changing((bytes, random) => {
    const [one, other] = [pageIn(bytes, random), pageIn(bytes, random)]
    const copy = Buffer.from(bytes.subarray(one, one + PAGE_BYTES))
    bytes.copy(bytes, one, other, other + PAGE_BYTES)
    copy.copy(bytes, other)
    return `at ${one} and ${other}`
  }),
  'cut off': (path, end, random) => {
    const bytes = readFileSync(`${path}${end}`).length
    const left = random.chance(0.5) ? random.below(bytes + 1) : pageIn(Buffer.alloc(bytes), random)
    truncateSync(`${path}${end}`, left)
    return `${left} of ${bytes} bytes left`
  },
  removed: (path, end) => {
    rmSync(`${path}${end}`)
    return ''
  },
  'an older page': (path, end, random, older) => {
    const from = `${random.pick(older)}${end}`
    if (!existsSync(from)) return 'none'
    const [bytes, before] = [readFileSync(`${path}${end}`), readFileSync(from)]
    const at = pageIn(before, random)
    before.copy(bytes, at, at, at + PAGE_BYTES)
    writeFileSync(`${path}${end}`, bytes)
    return `at ${at}`
  },
  'an older copy': (path, end, random, older) => {
    const from = `${random.pick(older)}${end}`
    if (existsSync(from)) copyFileSync(from, `${path}${end}`)
    else rmSync(`${path}${end}`)
    return from
  },
} satisfies Record<string, Way>

function changing(change: (bytes: Buffer, random: Random) => string): Way {
  return (path, end, random) => {
    const bytes = readFileSync(`${path}${end}`)
    const what = bytes.length === 0 ? 'none' : change(bytes, random)
    writeFileSync(`${path}${end}`, bytes)
    return what
  }
}

/** The offset of a page. */
const pageIn = (bytes: Buffer, random: Random): number =>
  PAGE_BYTES * random.below(Math.max(1, Math.ceil(bytes.length / PAGE_BYTES)))
