// What holding one permission allows, and which of the requested permissions a token gets.

import { expect } from 'chai'
import fc from 'fast-check'
import {
  anyCovers,
  commonPermissions,
  covers,
  coversGrant,
  defaultPermissions,
  grant,
  isGrantable,
  stillHeld,
} from '../../domain/permissions.ts'
import { permissionString } from '../../http/fields.ts'
import { sized } from '../seeds.ts'

const part = fc.constantFrom('a', 'b', 'lb', '-', '_', 'Z9')
const held = fc.array(fc.oneof(part, fc.constant('*')), { minLength: 1, maxLength: 4 })
const asked = fc.array(part, { minLength: 1, maxLength: 4 })

describe('what two lists of permissions have in common', () => {
  it('grants exactly what both grant', () => {
    const list = fc.array(
      held.map((parts) => parts.join(':')),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(list, list, asked, (some, others, wanted) => {
        const one = wanted.join(':')
        const isGranted = anyCovers(some, one) && anyCovers(others, one)
        expect(anyCovers(commonPermissions(some, others), one)).to.equal(isGranted)
      }),
    )
  })

  it('is the narrower permission of two, and takes a part from each', () => {
    expect(commonPermissions(['lb:*:*', 'submit_for'], ['lb:a:scores'])).to.deep.equal(['lb:a:scores'])
    expect(commonPermissions(['lb:*:scores'], ['lb:a:*', 'lb:*:*'])).to.deep.equal(['lb:*:scores'])
    expect(commonPermissions(['lb:*:scores'], ['lb:a:*'])).to.deep.equal(['lb:a:scores'])
    expect(commonPermissions(['lb:a:scores'], ['lb:b:scores'])).to.deep.equal([])
    // 64 permissions each, the most that a key has, would have 4,096 in common.
    const [columns, rows] = [0, 1].map((at) =>
      Array.from({ length: 63 }, (_, n) => (at === 0 ? `lb:*:x${n}` : `lb:y${n}:*`)),
    )
    expect(commonPermissions([...(columns ?? []), 'lb:a:b'], [...(rows ?? []), 'lb:a:*'])).to.deep.equal(['lb:a:b'])
  })

  it('has operator permissions only if both lists have them', () => {
    expect(commonPermissions(['*:*', 'sys:games'], ['sys:games'])).to.deep.equal(['sys:games'])
    expect(commonPermissions(['*:*'], ['sys:games'])).to.deep.equal([])
  })
})

describe('a permission', () => {
  it('consists of parts of letters, digits, _ and -, or *, joined by colons, with at most 128 characters', () => {
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

  it('covers another one if each part is the same or *', () => {
    fc.assert(
      fc.property(held, asked, (mine, wanted) => {
        const expected = mine.length === wanted.length && mine.every((one, i) => one === '*' || one === wanted[i])
        expect(covers(mine.join(':'), wanted.join(':'))).to.equal(expected)
      }),
    )
  })

  it('with a requested * is covered only by the same string', () => {
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

  it('of the operator is not covered by a wildcard', () => {
    expect([covers('*:*', 'sys:games'), covers('sys:*', 'sys:games'), covers('sys:games', 'sys:games')]).to.deep.equal([
      false,
      false,
      true,
    ])
  })
})

describe('a permission granted to a key', () => {
  it('is covered if each part is the same, or * in the held permission', () => {
    const cases: [string, string, boolean][] = [
      ['lb:*:*', 'lb:*:submit', true],
      ['lb:*:*', 'lb:*:*', true],
      ['*:*:*', 'gm:*:keys', true],
      ['gm:g:*', 'gm:g:keys', true],
      ['gm:g:*', 'gm:g:*', true],
      ['gm:g:*', 'gm:*:keys', false],
      ['gm:g:keys', 'gm:g:*', false],
      ['lb:a:submit', 'lb:*:submit', false],
      ['lb:*', 'lb:*:submit', false],
      ['lb:*:*', 'lb:*', false],
      ['*', 'submit_for', true],
      ['*:*', 'sys:games', false],
      ['sys:*', 'sys:games', false],
      ['sys:games', 'sys:games', true],
    ]
    expect(cases.filter(([held, given, expected]) => coversGrant(held, given) !== expected)).to.deep.equal([])
  })

  it('allows nothing that the covering permission does not allow', () => {
    const exact = fc.array(part, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(held, held, exact, (mine, given, wanted) => {
        const [own, granted, use] = [mine.join(':'), given.join(':'), wanted.join(':')]
        if (coversGrant(own, granted) && covers(granted, use)) expect(covers(own, use)).to.equal(true)
      }),
      { seed: 19, numRuns: sized(5_000, 20_000) },
    )
  })

  it('is covered exactly if everything it allows is allowed to its giver', () => {
    // Every permission of up to two parts over two words: small enough to ask for each.
    const words = ['a', 'b']
    const exact = [...words, ...words.flatMap((one) => words.map((two) => `${one}:${two}`))]
    const given = ['a', 'b', '*', ...['a', 'b', '*'].flatMap((one) => ['a', 'b', '*'].map((two) => `${one}:${two}`))]
    const allows = (permission: string) => exact.filter((one) => covers(permission, one))
    for (const own of given) {
      for (const granted of given) {
        const all = allows(granted).every((one) => allows(own).includes(one))
        expect([own, granted, coversGrant(own, granted)]).to.deep.equal([own, granted, all])
      }
    }
  })

  it('cannot be an operator permission or name another game', () => {
    const grantable = [
      'gm:g:keys',
      'gm:*:keys',
      'gm',
      'lb:x:submit',
      'submit_for',
      '*:*:*',
      'score:g:x',
      'system:games',
    ]
    const not = ['sys:games', 'sys:*', 'sys:', 'gm:h:keys', 'gm:h', 'gm:h:*', 'gm:gg:keys']
    expect(grantable.filter((one) => !isGrantable(one, 'g'))).to.deep.equal([])
    expect(not.filter((one) => isGrantable(one, 'g'))).to.deep.equal([])
  })
})

describe('the permissions of a token', () => {
  it('are all held permissions including wildcards if none are requested', () => {
    expect(grant(['lb:*:*', 'submit_for'], [])).to.deep.equal({ granted: ['lb:*:*', 'submit_for'], declined: [] })
    expect(grant([], [])).to.deep.equal({ granted: [], declined: [] })
  })

  it('are the covered ones of those requested, in order; the others are declined', () => {
    const asked = ['lb:a:submit', 'gm:g:keys', 'lb:*:*', 'submit_for', 'lb:*:submit']
    expect(grant(['lb:*:*', 'submit_for'], asked)).to.deep.equal({
      granted: ['lb:a:submit', 'lb:*:*', 'submit_for'],
      declined: ['gm:g:keys', 'lb:*:submit'],
    })
  })

  it('shrink with the permissions of the key', () => {
    expect(stillHeld(['lb:a:submit', 'lb:*:scores', 'x'], ['lb:*:*', 'x'])).to.deep.equal(['lb:a:submit', 'x'])
    expect(stillHeld(['x'], [])).to.deep.equal([])
  })
})

describe('the default permissions', () => {
  it('let a server key do everything in its game, and a client key read, play and submit', () => {
    expect(defaultPermissions('server', 'g')).to.deep.equal(['gm:g:*', 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'])
    expect(defaultPermissions('client', 'g')).to.deep.equal([
      'gm:g:buckets',
      'gm:g:realtime',
      'gm:g:boards',
      'bkt:*:details',
      'bkt:*:files',
      'lb:*:details',
      'lb:*:scores',
      'lb:*:submit',
      'score:*:details',
    ])
  })
})
