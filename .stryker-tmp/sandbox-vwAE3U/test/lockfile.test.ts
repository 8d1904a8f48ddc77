// The lockfile installs on every platform and from whatever registry a machine is set up for.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'

interface Lock {
  readonly packages: Readonly<Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>>
}

describe('package-lock.json', () => {
  const { packages }: Lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

  it('holds every optional package it names: else `npm ci` refuses it', () => {
    const held = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(named.length).to.be.greaterThan(8)
    expect(named.filter((name) => !held.has(name))).to.deep.equal([])
  })

  it('holds no download addresses', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).to.deep.equal([])
  })
})
