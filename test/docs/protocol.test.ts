// Compares the documented protocol with the server: the same endpoints, permissions and codes.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { errorsPage } from './errors-page.ts'

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

interface Operation {
  readonly 'x-permission'?: string
  readonly 'x-permission-or'?: string
  readonly 'x-tenant-only': boolean
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

describe('docs/protocol.md', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('lists exactly the endpoints of the server with their permissions', async () => {
    const { body } = await world.call('GET', '/api/openapi.json')
    const served = Object.entries<Record<string, Operation>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => rowOf(method.toUpperCase(), path, operation)),
    )
    const rows = read('protocol.md').matchAll(/^\| (GET|POST|PUT|DELETE) \| `([^`]+)` \| (\w+) \| ([^|]*)\|/gm)
    const written = [...rows].map(([, method, path, who, permission = '']) =>
      [method, path, who === 'operator' ? 'tenant' : who, permission.trim()].join(' '),
    )
    expect(written.sort()).to.deep.equal(served.sort())
  })

  it('states the default rates', () => {
    const text = read('protocol.md').replaceAll(',', '')
    for (const { perSecond, burst } of Object.values(DEFAULT_RATE_LIMITS)) {
      expect(text).to.contain(`${perSecond} / ${burst}`)
    }
  })
})

function rowOf(method: string, path: string, operation: Operation): string {
  const { 'x-permission': permission, 'x-permission-or': or, 'x-tenant-only': tenantOnly, security } = operation
  // A key's prefix is not a proof: anyone who knows it may request a challenge.
  const open = !security.some((scheme) => 'bearer' in scheme)
  const permissions = [permission, or].flatMap((one) => (one === undefined ? [] : [`\`${one}\``])).join(' or ')
  return [method, path, open ? 'open' : tenantOnly ? 'tenant' : 'any', permissions].join(' ')
}

describe('docs/errors.md', () => {
  it('equals the generated registry of codes', () => {
    expect(read('errors.md')).to.equal(errorsPage())
  })
})

describe('the links in the documents', () => {
  const documents = [
    '../README.md',
    '../CONTRIBUTING.md',
    '../SECURITY.md',
    'protocol.md',
    'errors.md',
    'vectors/README.md',
  ]
  for (const name of documents) {
    it(`in ${name.replace('../', '')} lead to existing files`, () => {
      for (const [, target = ''] of read(name).matchAll(/\]\(([^)#]+)\)/g)) {
        const url = new URL(target, new URL(`../../docs/${name}`, import.meta.url))
        expect(() => readFileSync(url), target).not.to.throw(/ENOENT/)
      }
    })
  }
})
