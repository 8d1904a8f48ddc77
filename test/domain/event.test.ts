// Events: positions, the types that callers filter by, how deep their data may be nested, whose text it holds, and what
// belongs to a partition.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { isTooDeep, JSON_MAX_DEPTH, leastPosition, type NewEvent } from '../../domain/event.ts'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { ALL_PARTITIONS, PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { filesKeyOf, isOfFiles, ownerOf, personalTexts, sealingKeyOf } from '../../domain/personal.ts'
import { hasControlOrBidi, hasControlOrBidiInLines, withoutControlOrBidi } from '../../domain/text.ts'

describe('the lowest of several positions', () => {
  it('is the first one, and null if one is null or there are none', () => {
    expect(leastPosition(['b', 'a', 'c'])).to.equal('a')
    expect(leastPosition(new Set(['b']))).to.equal('b')
    expect(leastPosition([null, 'a'])).to.equal(null)
    expect(leastPosition(['a', null])).to.equal(null)
    expect(leastPosition([])).to.equal(null)
  })
})

describe('the list of event types', () => {
  it('contains exactly the types of the frozen examples', () => {
    const frozen: { type: string }[] = JSON.parse(readFileSync(new URL('frozen-events.json', import.meta.url), 'utf8'))
    expect([...EVENT_TYPES].sort()).to.deep.equal([...new Set(frozen.map(({ type }) => type))].sort())
  })
})

/** A value inside so many lists or objects. */
const nested = (levels: number, inner: unknown, wrap: (value: unknown) => unknown): unknown => {
  let value = inner
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const inList = (value: unknown) => [0, value]
const inObject = (value: unknown) => ({ a: 0, b: value })

describe('the nesting of data', () => {
  it('is limited to 40 levels, of lists and objects alike', () => {
    expect(JSON_MAX_DEPTH).to.equal(40)
    for (const wrap of [inList, inObject]) {
      for (const inner of [1, 'text', null, true]) {
        expect([isTooDeep(nested(40, inner, wrap)), isTooDeep(nested(41, inner, wrap))]).to.deep.equal([false, true])
      }
    }
  })

  it('counts an empty list or object as a level', () => {
    expect([isTooDeep(nested(39, [], inList)), isTooDeep(nested(40, [], inList))]).to.deep.equal([false, true])
    expect([isTooDeep(nested(39, {}, inObject)), isTooDeep(nested(40, {}, inObject))]).to.deep.equal([false, true])
  })

  it('can be given another limit', () => {
    expect([isTooDeep([], 1), isTooDeep([[]], 1), isTooDeep(5, 0), isTooDeep({}, 0)]).to.deep.equal([
      false,
      true,
      false,
      true,
    ])
  })

  it('does not exhaust the stack', () => expect(isTooDeep(nested(100_000, 1, inList))).to.equal(true))
})

describe('a partition', () => {
  it('is the same for a game in every version', () => {
    expect(PARTITIONS).to.equal(16)
    expect(ALL_PARTITIONS).to.deep.equal(Array.from({ length: 16 }, (_, n) => n))
    // FNV-1a of these texts, modulo 16.
    expect(['', 'a', 'b', 'foobar'].map(partitionOf)).to.deep.equal([0x5, 0xc, 0x5, 0x8])
  })

  it('is the first one for what belongs to no game', () => expect(partitionOf(null)).to.equal(0))
})

describe('the personal text of an event', () => {
  const event = (type: string, data: NewEvent['data'], player?: string) => {
    const meta = { v: 1, game: 'g', command: 'c', actor: null, request: null, time: '' }
    return { type, data, meta: player === undefined ? meta : { ...meta, player } }
  }

  it('is what a player wrote about themself, sealed under their own key', () => {
    const created = event('PlayerCreated', { name: 'Ada', guest: true, externalId: null }, 'ada')
    expect([ownerOf(created), sealingKeyOf(created), isOfFiles(created)]).to.deep.equal(['ada', 'ada', false])
    expect(personalTexts(created)).to.deep.equal(['name'])
    const submitted = event('ScoreSubmitted', { score: '1', playerName: 'Ada', extra: '{}' }, 'ada')
    expect(personalTexts(submitted)).to.deep.equal(['playerName', 'extra'])
  })

  it('is the path and content type of a player’s file, sealed under the key of their files', () => {
    const texts = { path: '/a', contentType: 'x/y' }
    for (const [type, data, fields] of [
      ['UploadOpened', { ...texts, player: 'ada' }, ['path', 'contentType']],
      ['FileStored', { ...texts, creator: 'ada' }, ['path', 'contentType']],
      ['FileOverwritten', { ...texts, replaced: { creator: 'ada' } }, ['contentType']],
      ['FolderCreated', { path: '/a/', creator: 'ada' }, ['path']],
    ] as const) {
      const one = event(type, data)
      expect([ownerOf(one), sealingKeyOf(one), isOfFiles(one)], type).to.deep.equal(['ada', 'ada.files', true])
      expect(personalTexts(one), type).to.deep.equal(fields)
    }
    expect(filesKeyOf('ada')).to.equal('ada.files')
  })

  it('is none of a file that the tenant made', () => {
    const stored = event('FileStored', { path: '/a', contentType: 'x/y', creator: null }, 'ada')
    expect([ownerOf(stored), sealingKeyOf(stored), personalTexts(stored)]).to.deep.equal([null, null, []])
    expect(ownerOf(event('FileOverwritten', {}))).to.equal(null)
  })

  it('is none of an event without personal fields, or whose text is erased', () => {
    const banned = event('PlayerBanned', { until: null, reason: 'x' }, 'ada')
    expect([ownerOf(banned), personalTexts(banned)]).to.deep.equal(['ada', []])
    expect(personalTexts(event('PlayerNamed', { name: null }, 'ada'))).to.deep.equal([])
    expect([ownerOf(event('KeyIssued', {})), sealingKeyOf(event('KeyIssued', {}))]).to.deep.equal([null, null])
  })
})

describe('control and bidi characters', () => {
  const BAD = ['\0', '\u0007', '\u007f', '\u0085', '\u2028', '\u2029', '\ud800', '\udc00', '\u061c', '\u200e', '\u200f']
  BAD.push('\u202a', '\u202e', '\u2066', '\u2069')
  const GOOD = ['a', ' ', 'é', '\u{1f600}', '\u200b', '\u2027', '\u202f', '\u2065', '\u206a', '\u061b', '\u200d']

  it('are found wherever they are in a text', () => {
    expect(BAD.filter((one) => !hasControlOrBidi(`a${one}b`))).to.deep.equal([])
    expect(GOOD.filter((one) => hasControlOrBidi(`a${one}b`))).to.deep.equal([])
  })

  it('are, but for line feeds and tabs, found in a text of lines', () => {
    expect(BAD.filter((one) => !hasControlOrBidiInLines(`a\n${one}`))).to.deep.equal([])
    expect(hasControlOrBidiInLines('a\n\tb')).to.equal(false)
    expect([hasControlOrBidi('a\nb'), hasControlOrBidi('a\tb'), hasControlOrBidiInLines('a\rb')]).to.deep.equal([
      true,
      true,
      true,
    ])
  })

  it('are each replaced by a mark', () => {
    expect(withoutControlOrBidi('a\0\u202eb\n', '?')).to.equal('a??b?')
    expect(withoutControlOrBidi('abc', '?')).to.equal('abc')
  })
})
