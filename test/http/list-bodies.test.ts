// Bodies of calls that take a list: their size and pieces, and their elements, which are refused one by one.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { Refusal } from '../../domain/decider.ts'
import { readJson } from '../../http/pipeline/body.ts'
import { parseListJson, RefusedElement, type Turn } from '../../http/pipeline/list-json.ts'
import { parseStrictJson } from '../../http/pipeline/strict-json.ts'
import { sized } from '../seeds.ts'

const FIELD = 'submissions'
const LIST = { field: FIELD, max: 500 }

const AT_ONCE: Turn = async (work) => work()

const listIn = (text: string, max = LIST.max, turn = AT_ONCE) =>
  parseListJson(Buffer.from(text), { ...LIST, max }, turn) as Promise<Record<string, unknown[]>>

function faultsOf(error: unknown) {
  if (error instanceof Refusal) return { faults: error.fields.errors as { pointer: string; detail: string }[] }
  throw error
}

/** What parsing a text alone gives: its value, or the faults of its refusal. */
function outcomeOf(text: string): unknown {
  try {
    return { value: parseStrictJson(Buffer.from(text)) }
  } catch (error) {
    return faultsOf(error)
  }
}

const outcomeOfList = (text: string) => listIn(text).then((value) => ({ value }), faultsOf)

/** The same for an element of a list. */
function outcomeOfElement(element: unknown): unknown {
  return element instanceof RefusedElement ? { faults: element.refusal.fields.errors } : { value: element }
}

const fine = fc.oneof(
  fc.json({ maxDepth: 3, noUnicodeString: false }).filter((text) => 'value' in (outcomeOf(text) as object)),
  fc.constantFrom(
    '{"a":"]},{","b":[{"c":"\\""}]}',
    '"\\\\"',
    '{"submissions":[1,2]}',
    '[[],[[]],{}]',
    ' 1 ',
    'null',
    '{"a":"\\u005d"}',
  ),
)
/** Valid JSON that is refused. */
const faulty = fc
  .tuple(
    fc.constantFrom(
      '{"a":1,"a":2}',
      '"x\\u0000"',
      '76561197960287931',
      '1e999',
      '{"__proto__":1}',
      '"\\ud800"',
      '[{"submissions":[1e-400]}]',
      '{"a":1,"\\u0061":2}',
    ),
    fc.constantFrom('', '{"x":', '[0,"],",', '[{"y":[2,'),
  )
  .map(([fault, before]) => {
    const closing = { '': '', '{"x":': '}', '[0,"],",': ']', '[{"y":[2,': ']}]' }
    return before + fault + closing[before as keyof typeof closing]
  })
const space = fc.constantFrom('', ' ', '\n\t', '  ')
const elements = fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fine }, { weight: 1, arbitrary: faulty }), space), {
  maxLength: 6,
})
/** Other fields before and after the list. */
const beside = fc.constantFrom(
  '',
  '"a":1',
  '"a":"submissions"',
  '"b":{"submissions":[{"a":1}]}',
  '"c":["submissions",[]]',
)

const textOf = (before: string, list: string, after: string) =>
  `{${[before, `"${FIELD}" :${list}`, after].filter((part) => part !== '').join(' , ')}}`
const listOf = (given: readonly (readonly [string, string])[]) =>
  `[${given.map(([element, around]) => around + element + around).join(',')}]`

describe('a JSON body with a list', () => {
  it('has each element as parsing it alone gives it, its value or its refusal with the same pointer', async () => {
    await fc.assert(
      fc.asyncProperty(elements, beside, beside, async (given, before, after) => {
        fc.pre(before === '' || before.slice(0, 3) !== after.slice(0, 3))
        const { [FIELD]: list, ...others } = await listIn(textOf(before, listOf(given), after))
        expect(list?.map(outcomeOfElement)).to.deep.equal(given.map(([element]) => outcomeOf(element)))
        expect(others).to.deep.equal(JSON.parse(`{${[before, after].filter((part) => part !== '').join()}}`))
      }),
      { numRuns: sized(1_000, 10_000) },
    )
  })

  it('is refused as a whole, at the pointer of the first fault outside of the elements', async () => {
    await fc.assert(
      fc.asyncProperty(elements, beside, faulty, fc.boolean(), async (given, other, fault, isBefore) => {
        const bad = `"bad":${fault}`
        const text = (list: string) => (isBefore ? textOf(bad, list, other) : textOf(other, list, bad))
        const outcome = await outcomeOfList(text(listOf(given)))
        const inner = (outcomeOf(fault) as { faults: { pointer: string; detail: string }[] }).faults
        expect(outcome).to.deep.equal({
          faults: inner.map(({ pointer, detail }) => ({ pointer: `/bad${pointer}`, detail })),
        })
      }),
      { numRuns: sized(500, 5_000) },
    )
  })

  it('is refused as a whole where it is no JSON, where the list is given twice, or where another field holds the list', async () => {
    const pointerIn = async (text: string) =>
      ((await outcomeOfList(text)) as { faults?: { pointer: string }[] }).faults?.[0]?.pointer
    expect(await pointerIn('{"submissions":[{"a":1,"a":2},]}')).to.equal('/submissions/1')
    expect(await pointerIn('{"submissions":[1,[2}]}')).to.equal('/submissions/1')
    expect(await pointerIn('{"submissions":["a, 2]}')).to.equal('/submissions/0')
    expect(await pointerIn('{"submissions":[1e999],"submissions":[1]}')).to.equal('/submissions')
    expect(await pointerIn('{"submissions":{"a":[1e999]}}')).to.equal('/submissions/a/0')
    expect(await pointerIn('{"others":[1e999]}')).to.equal('/others/0')
    expect(await pointerIn('[{"submissions":[1e999]}]')).to.equal('/0/submissions/0')
    expect(await pointerIn('{"a":{"submissions":[1e999]},"submissions":[1]}')).to.equal('/a/submissions/0')
  })

  it('has no element read where the list is too long', async () => {
    const read = (max: number) => listIn('{"submissions":[1e999, null ,[0,1]]}', max)
    const all = (await read(3))[FIELD] as unknown[]
    expect(all[0]).to.be.instanceOf(RefusedElement)
    expect(all.slice(1)).to.deep.equal([null, [0, 1]])
    expect(await read(1)).to.deep.equal({ [FIELD]: [null, null] })
  })

  it('is parsed in turns of some milliseconds, whatever is in it', async () => {
    const deep = `${'['.repeat(30)}${'1,'.repeat(1_000)}1${']'.repeat(30)}`
    const bad = `{"a":1,"a":${deep}}`
    const text = `{"submissions":[${Array.from({ length: 400 }, () => bad).join()}]}`
    let turns = 0
    const all = await listIn(text, 500, async (work) => {
      turns++
      return work()
    })
    expect(all[FIELD]?.every((one) => one instanceof RefusedElement)).to.equal(true)
    // The text, the places of its elements, the rest, and the elements by 32 KiB.
    expect(turns).to.equal(3 + Math.ceil(400 / Math.ceil(32_768 / bad.length)))
  })

  it('has elements and a rest of 64 KiB without white space: more is refused without being parsed', async () => {
    const padded = (characters: number) => `{"a":${' '.repeat(100_000)}"${'x'.repeat(characters - 8)}"}`
    const fits = padded(65_536)
    const long = padded(65_537)
    const all = (await listIn(`{"submissions":[${fits},${long}]}`))[FIELD]
    expect(all?.map((one) => one instanceof RefusedElement)).to.deep.equal([false, true])
    expect(outcomeOfElement(all?.[1])).to.deep.equal({
      faults: [{ pointer: '', detail: 'must be at most 65,536 characters' }],
    })
    expect(await outcomeOfList(`{"b":${long},"submissions":[1]}`)).to.deep.equal({
      faults: [{ pointer: '', detail: 'must be at most 65,536 characters beside "submissions"' }],
    })
    expect(await outcomeOfList(long)).to.deep.equal({
      faults: [{ pointer: '/submissions', detail: 'must be a list, and all else at most 65,536 characters' }],
    })
    expect(await outcomeOfList(fits)).to.deep.equal(outcomeOf(fits))
  })

  const read = (text: string, pieceBytes: number) => {
    const pieces = Array.from({ length: Math.ceil(text.length / pieceBytes) }, (_, nth) =>
      Buffer.from(text.slice(nth * pieceBytes, (nth + 1) * pieceBytes)),
    )
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
    const request = Object.assign(Readable.from(pieces), {
      headers,
      rawHeaders: Object.entries(headers).flat(),
    }) as unknown as IncomingMessage
    const room = {
      take: () => () => {},
      timeoutMs: 10_000,
      parseLarge: (parse: (turn: Turn) => Promise<unknown>) => parse(AT_ONCE),
    }
    return readJson(request, room, { ...LIST, maxBytes: 1_048_576 } as Parameters<typeof readJson>[2])
  }

  it('may come in as many pieces for each 64 KiB as any other body', async () => {
    const text = JSON.stringify({ submissions: Array.from({ length: 16 }, () => 'x'.repeat(65_531)) })
    expect(text).to.have.length(1_048_576 - 15)
    // A network of small packets: 2,048 reads of a socket.
    expect(await read(text, 512)).to.deep.equal(JSON.parse(text))
    const failure = await read(text, 63)?.catch((error: unknown) => error)
    expect(failure).to.include({ code: 'body_too_large', message: 'The body must come in at most 16,384 chunks.' })
  })
})
