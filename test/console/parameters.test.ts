import { expect } from 'chai'
import {
  chosenText,
  flag,
  instant,
  oneOf,
  searchWith,
  typedText,
  type ValuesOf,
  valuesIn,
  wholeNumber,
} from '../../console/src/parameters.ts'

const OWN = {
  search: typedText(),
  offset: wholeNumber(),
  row: chosenText(),
  tab: oneOf('people', 'all'),
  open: flag(),
  at: instant(),
}
const DEFAULTS = { search: '', offset: 0, row: '', tab: 'people', open: false, at: null } as const

const read = (query: string) => valuesIn(OWN, new URLSearchParams(query))
const change = (query: string, values: Partial<ValuesOf<typeof OWN>>) => {
  const next = searchWith(OWN, new URLSearchParams(query), values)
  return next === null ? null : { query: next.search.toString(), replaces: next.replaces }
}

describe('console: state in the address', () => {
  it('reads the values that the address has, and defaults of the others', () => {
    expect(read('')).to.deep.equal(DEFAULTS)
    expect(read('search=A+%26+B&offset=50&row=r1&tab=all&open=1&at=2026-11-28T10:00:00%2B01:00')).to.deep.equal({
      search: 'A & B',
      offset: 50,
      row: 'r1',
      tab: 'all',
      open: true,
      at: '2026-11-28T09:00:00.000Z',
    })
  })

  it('reads an invalid value as the default', () => {
    for (const query of ['offset=-1', 'offset=1e9', 'offset=x', 'tab=other', 'open=yes', 'at=soon']) {
      expect(read(query), query).to.deep.equal(DEFAULTS)
    }
    expect(read(`search=${'a'.repeat(513)}`)).to.deep.equal(DEFAULTS)
  })

  it('writes what it reads, leaves defaults out, and keeps the parameters of others', () => {
    const values = {
      search: 'A & B',
      offset: 50,
      row: 'r',
      tab: 'all',
      open: true,
      at: '2026-11-28T09:00:00.000Z',
    } as const
    const query = change('game=g', values)?.query ?? ''
    expect(read(query)).to.deep.equal(values)
    expect(new URLSearchParams(query).get('game')).to.equal('g')
    expect(change(query, DEFAULTS)?.query).to.equal('game=g')
  })

  it('changes nothing where the values are those of the address', () => {
    expect(change('search=a&offset=0', { search: 'a' })).to.equal(null)
    expect(change('', { offset: 0 })).to.equal(null)
  })

  it('makes a step of each choice, and one step of a text while it is typed', () => {
    expect(change('', { offset: 50 })?.replaces).to.equal(false)
    expect(change('offset=50', { offset: 100 })?.replaces).to.equal(false)
    expect(change('offset=50', { search: 'a', offset: 0 })).to.deep.equal({ query: 'search=a', replaces: false })
    expect(change('search=a', { search: 'ad' })).to.deep.equal({ query: 'search=ad', replaces: true })
    expect(change('search=ad', { search: '' })).to.deep.equal({ query: '', replaces: true })
  })
})
