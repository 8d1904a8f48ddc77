// EVENTSTORE_URL: what is accepted and rejected, and that no error shows any part of a user or password.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { readConfig } from '../../server/config.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { parseServer } from '../../stores/eventstoredb/server.ts'
import { parseUrl, shownUrl } from '../../stores/eventstoredb/url.ts'

/** Placed into every part of a URL that may be secret. */
const MARKER = 'planted'

function refusal(url: string): string {
  try {
    parseServer(url)
  } catch (error) {
    expect(error).to.be.an.instanceOf(StoresFault)
    return (error as StoresFault).message
  }
  throw new Error(`accepted: ${url}`)
}

const REFUSED: readonly (readonly [what: string, url: string, says: string])[] = [
  ['another scheme', `http://admin:${MARKER}@host`, 'must look like'],
  ['a URL without a host', `esdb://admin:${MARKER}@`, 'must look like'],
  ['a port that is not a number', `esdb://admin:${MARKER}@host:port`, 'must look like'],
  ['an empty host in a list', `esdb://admin:${MARKER}@a,,b`, 'must look like'],
  ['a user without a password', `esdb://${MARKER}@host`, 'Percent-encode'],
  ['an empty password', `esdb://${MARKER}:@host`, 'Percent-encode'],
  ['a colon in the password', `esdb://admin:a:${MARKER}@host`, 'Percent-encode'],
  ['an at sign in the password', `esdb://admin:a@${MARKER}@host`, 'Percent-encode'],
  ['a percent sign in the password', `esdb://admin:%${MARKER}@host`, 'Percent-encode'],
  ['a question mark in the password', `esdb://admin:a?${MARKER}=1@host?tls=true`, 'Percent-encode'],
  ['an at sign in the options', `esdb://admin:${MARKER}@host?tls=true&connectionName=a@b`, 'Percent-encode'],
  ['an unknown option behind an at sign', `esdb://admin:${MARKER}@host?${MARKER}@x=1`, 'Percent-encode'],
  ['an option without a value', `esdb://admin:${MARKER}@host?${MARKER}`, 'an option that the client does not know'],
  ['an unknown option', `esdb://admin:${MARKER}@host?tsl=false`, 'an option tsl that the client does not know'],
  ['a flag that is neither', `esdb://admin:${MARKER}@host?tls=no`, 'tls needs true or false'],
  ['a number that is none', `esdb://admin:${MARKER}@host?gossipTimeout=1s`, 'gossipTimeout needs a whole number'],
  ['an unknown preference', `esdb://admin:${MARKER}@host?nodePreference=best`, 'nodePreference needs leader, follower'],
  ['tlsVerifyCert=false', `esdb://admin:${MARKER}@host?tlsVerifyCert=false`, 'Set tlsCAFile'],
  ['tls-verify-cert=false', `esdb://admin:${MARKER}@host?tls-verify-cert=false`, 'Set tlsCAFile'],
  ['dnsdiscover', `esdb://admin:${MARKER}@host?dnsdiscover=true`, 'dnsDiscover in exactly this spelling'],
  ['dns_discover', `esdb://admin:${MARKER}@host?dns_discover=true`, 'dnsDiscover in exactly this spelling'],
]

describe('EVENTSTORE_URL', () => {
  for (const [what, url, says] of REFUSED) {
    it(`is refused with ${what}, and the refusal shows nothing secret`, () => {
      expect(refusal(url)).to.contain('EVENTSTORE_URL').and.contain(says).and.not.contain(MARKER)
      expect(shownUrl(url)).not.to.contain(MARKER)
    })
  }

  it('is refused with DNS discovery of several hosts, and the refusal names the form for them', () => {
    for (const url of [
      `esdb+discover://admin:${MARKER}@a:2113,b?tls=true`,
      `esdb://admin:${MARKER}@a,b:2113?dnsDiscover=true`,
    ]) {
      expect(refusal(url)).to.contain('esdb://a:2113,b:2113 without "+discover"').and.not.contain(MARKER)
    }
  })

  for (const scheme of ['esdb', 'kurrentdb', 'kurrent', 'kdb']) {
    it(`is accepted with the scheme ${scheme}, with and without discovery, and shown with it`, () => {
      const url = `${scheme}://admin:${MARKER}@a:2114?tls=false`
      expect(parseUrl(url)).to.deep.equal({
        ...parseUrl(url.replace(scheme, 'esdb')),
        shown: `${scheme}://a:2114?tls=false`,
      })
      expect(parseUrl(url.replace(':', '+discover:'))).to.include({
        discover: true,
        shown: `${scheme}+discover://a:2114?tls=false`,
      })
      expect(shownUrl(`${scheme}+discover://${MARKER}@`)).to.equal(`${scheme}+discover://…`)
      const servers = { EVENTSTORE_URL: url, MONGODB_URL: 'mongodb://a/b', REDIS_URL: 'redis://a' }
      expect(readConfig(servers).servers?.eventStoreUrl).to.equal(url)
    })
  }

  it('is accepted with every option of the client, in any case and with dashes or underscores', () => {
    const url =
      'esdb://us%3Aer:p%40ss%3F@a.example:2114,b-2?TLS=false&keep-alive-interval=-1&keepAliveTimeout=20000&' +
      'nodePreference=ReadOnlyReplica&connection_name=a%26b&gossipTimeout=2&tlsVerifyCert=true&defaultDeadline=1/'
    expect(parseUrl(url)).to.deep.equal({
      discover: false,
      hosts: [
        { address: 'a.example', port: 2114 },
        { address: 'b-2', port: 2113 },
      ],
      user: { username: 'us:er', password: 'p@ss?' },
      options: {
        tls: false,
        keepAliveInterval: -1,
        keepAliveTimeout: 20_000,
        nodePreference: 'read_only_replica',
        connectionName: 'a&b',
        gossipTimeout: 2,
        tlsVerifyCert: true,
        defaultDeadline: 1,
      },
      shown: `esdb://a.example:2114,b-2?${url.split('?')[1]?.slice(0, -1)}`,
    })
  })

  it('is refused with a certificate file that is missing, a folder, or no certificate, and names the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
    try {
      const [missing, garbage] = [join(folder, 'missing.pem'), join(folder, 'garbage.pem')]
      writeFileSync(garbage, '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n')
      const url = (options: string) => refusal(`esdb://admin:${MARKER}@host?${options}`)
      expect(url(`tlsCAFile=${missing}`)).to.contain(`${missing}, named by tlsCAFile, does not exist`)
      expect(url(`tlsCAFile=${folder}`)).to.contain(`${folder}, named by tlsCAFile, is a folder, not a file`)
      expect(url(`tlsCAFile=${garbage}`)).to.contain(`${garbage}, named by tlsCAFile, holds no certificate in PEM`)
      expect(url(`userCertFile=${garbage}`)).to.contain('needs userCertFile and userKeyFile together')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('never reaches the output of the process, neither refused nor used, whatever the client library prints', async () => {
    const urls = REFUSED.map(([, url]) => url)
    const used = ['', '?dnsDiscover=true', '?keepAliveInterval=1', '?nodePreference=follower', '?tlsVerifyCert=true']
    urls.push(...used.map((options) => `esdb://admin:${MARKER}@127.0.0.1:1${options}`))
    const script = fileURLToPath(new URL('print-eventstoredb-check.ts', import.meta.url))
    const env = { ...process.env, DEBUG: 'esdb:*' }
    const { stdout, stderr } = await promisify(execFile)('npx', ['tsx', script, ...urls], { env })
    expect(stdout.trim().split('\n')).to.have.length(urls.length)
    expect(stderr).to.contain('KeepAliveInterval of 1 is less than recommended')
    expect(stdout + stderr).not.to.contain(MARKER)
  }).timeout(60_000)
})
