// What `npm run check` warns about: code that is too large to read alone, and comments that are too wide.

import { expect } from 'chai'
import { oversizes, wideComments } from '../tools/style/sizes.ts'

const lines = (count: number): string => '  //\n'.repeat(count)

describe('findings of style', () => {
  it('finds comment lines over 120 characters, except suppressions and code', () => {
    const wide = 'x'.repeat(120)
    for (const begin of ['// ', '  // ', '/** ', ' * '])
      expect(wideComments('a.ts', `\n${begin}${wide}`)).to.deep.equal(['a.ts:2'])
    for (const begin of ['// biome-ignore ', 'const a = ', '**'])
      expect(wideComments('a.ts', begin + wide)).to.deep.equal([])
    expect(wideComments('a.ts', `// ${'x'.repeat(117)}`)).to.deep.equal([])
  })

  it('finds functions over 60 lines, in classes and closures too', () => {
    expect(oversizes('a.ts', `export function f() {\n${lines(58)}}`)).to.deep.equal([])
    expect(oversizes('a.ts', `function f() {\n${lines(59)}}`)).to.deep.equal(['long a.ts f: 61'])
    expect(oversizes('a.ts', `class A {\n b = () => {\n${lines(59)}}\n}`)).to.deep.equal(['long a.ts A.b: 61'])
  })

  it('finds more than 4 parameters where other files can call', () => {
    expect(oversizes('a.ts', 'function f(a, b, c, d, e) {}')).to.deep.equal([])
    expect(oversizes('a.ts', 'export const f = (a, b, c, d, e) => a')).to.deep.equal(['wide a.ts f: 5'])
    expect(oversizes('a.ts', 'export type F = { f(a: 1, b: 1, c: 1, d: 1, e: 1): void }')).to.deep.equal([
      'wide a.ts F.f: 5',
    ])
    expect(oversizes('a.ts', 'export type F = (a: 1, b: 1, c: 1, d: 1, e: 1) => void')).to.deep.equal([
      'wide a.ts F: 5',
    ])
  })

  it('finds classes with more than 8 fields', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `#f${at} = 0`).join('\n')
    expect(oversizes('a.ts', `class A {\n${fields(8)}\nstatic g = 0\n}`)).to.deep.equal([])
    expect(oversizes('a.ts', `export class A {\n${fields(9)}\n}`)).to.deep.equal(['fields a.ts A: 9'])
  })

  it('allows what a docstring gives a reason for', () => {
    const body = `(a, b, c, d, e) {\n${lines(60)}}`
    expect(oversizes('a.ts', `/** @long one table @wide as in SQL */\nexport function f${body}`)).to.deep.equal([])
    expect(oversizes('a.ts', `/** @long */\nexport function f${body}`)).to.deep.equal([
      'long a.ts f: 62',
      'wide a.ts f: 5',
    ])
    expect(oversizes('a.ts', `/** @long a reason */\nfunction f() {\nfunction g${body}\n}`)).to.deep.equal([
      'long a.ts f.g: 62',
    ])
  })
})
