// No aggregate writes where the log's readers do not look.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { STREAM_PREFIXES } from '../../domain/streams.ts'

const DOMAIN = fileURLToPath(new URL('../../domain', import.meta.url))

describe('streams', () => {
  it('are named by their aggregates with a prefix that is listed, and every prefix is used', () => {
    const named = readdirSync(DOMAIN).flatMap((file) => {
      const text = readFileSync(join(DOMAIN, file), 'utf8')
      return [...text.matchAll(/\w*Stream = \([^)]*\): string => `([a-z]+[-_])/g)].map(([, prefix]) => prefix)
    })
    expect(named.toSorted()).to.deep.equal(STREAM_PREFIXES.toSorted())
  })
})
