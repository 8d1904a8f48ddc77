// What holding one permission allows, and what a token gets of what was asked for.

import { expect } from 'chai'
import fc from 'fast-check'
import { covers, defaultPermissions, grant, stillHeld } from '../../domain/permissions.ts'
import { permissionString } from '../../http/fields.ts'

const part = fc.constantFrom('a', 'b', 'lb', '-', '_', 'Z9')
const held = fc.array(fc.oneof(part, fc.constant('*')), { minLength: 1, maxLength: 4 })
const asked = fc.array(part, { minLength: 1, maxLength: 4 })

describe('a permission', () => {
  it('is parts of letters, digits, _ and -, or *, joined by colons, at most 128 characters', () => {
    const good = ['a', '*', 'a:b', 'lb:*:submit', 'lb:x-Y_9:submit', '*:*:*', 'a'.repeat(128), `a:${'b'.repeat(126)}`]
    const bad = [
      '',
      ':',
      'a:',
      ':a',
      'a::b',
      'a b',
      'a|b',
      '**',
      'a*',
      '*a',
      'é',
      'a\n',
      ' a',
      'a'.repeat(129),
      'a.b',
      'a/b',
    ]
    const isPermission = (text: string) => permissionString.safeParse(text).success
    expect(good.filter((text) => !isPermission(text))).to.deep.equal([])
    expect(bad.filter(isPermission)).to.deep.equal([])
  })

  it('covers what is the same part by part, * standing for any one part', () => {
    fc.assert(
      fc.property(held, asked, (mine, wanted) => {
        const expected = mine.length === wanted.length && mine.every((one, i) => one === '*' || one === wanted[i])
        expect(covers(mine.join(':'), wanted.join(':'))).to.equal(expected)
      }),
    )
  })

  it('with a * asked for is covered by that very string only', () => {
    const cases: [string, string, boolean][] = [
      ['lb:*:submit', 'lb:*:submit', true],
      ['lb:*:*', 'lb:*:submit', false],
      ['*:*:*', 'lb:*:*', false],
      ['lb:a:submit', 'lb:*:submit', false],
      ['*', '*', true],
    ]
    for (const [mine, wanted, expected] of cases)
      expect([mine, wanted, covers(mine, wanted)]).to.deep.equal([mine, wanted, expected])
  })

  it('that is the operator’s is covered by no wildcard', () => {
    expect([covers('*:*', 'sys:games'), covers('sys:*', 'sys:games'), covers('sys:games', 'sys:games')]).to.deep.equal([
      false,
      false,
      true,
    ])
  })
})

describe('what a token gets', () => {
  it('is everything held where nothing is asked for, wildcards too', () => {
    expect(grant(['lb:*:*', 'submit_for'], [])).to.deep.equal({ granted: ['lb:*:*', 'submit_for'], declined: [] })
    expect(grant([], [])).to.deep.equal({ granted: [], declined: [] })
  })

  it('is what is covered of what is asked for, as it was asked for; the rest is declined', () => {
    const asked = ['lb:a:submit', 'gm:g:keys', 'lb:*:*', 'submit_for', 'lb:*:submit']
    expect(grant(['lb:*:*', 'submit_for'], asked)).to.deep.equal({
      granted: ['lb:a:submit', 'lb:*:*', 'submit_for'],
      declined: ['gm:g:keys', 'lb:*:submit'],
    })
  })

  it('shrinks with what the key holds', () => {
    expect(stillHeld(['lb:a:submit', 'lb:*:scores', 'x'], ['lb:*:*', 'x'])).to.deep.equal(['lb:a:submit', 'x'])
    expect(stillHeld(['x'], [])).to.deep.equal([])
  })
})

describe('the defaults', () => {
  it('are the contract’s', () => {
    expect(defaultPermissions('server', 'g')).to.deep.equal(['gm:g:*', 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'])
    expect(defaultPermissions('client', 'g')).to.deep.equal([
      'gm:g:buckets',
      'gm:g:realtime',
      'bkt:*:details',
      'bkt:*:files',
      'lb:*:details',
      'lb:*:scores',
      'lb:*:submit',
      'score:*:details',
    ])
  })
})
