// `scorebook master-key` on servers, next to two serving processes, one of which still encrypts with the old key.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, environmentOf, freshStoresBeside, ON_SERVERS } from '../servers/store-urls.ts'
import { command, type Env, newFolder, openService, type Service } from './service.ts'

interface Status {
  readonly keys: readonly { readonly which: string; readonly secrets: number }[]
}

describe('scorebook master-key on servers', function () {
  this.timeout(BUILD_TIMEOUT_MS)
  const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const log = startEventStore()
  let env: Env
  let dataDir: string

  before(async () => {
    const { storeUrls } = await freshStoresBeside(await log)
    dataDir = await newFolder()
    env = { ...environmentOf(storeUrls), DATA_DIR: dataDir }
  })
  after(async () => {
    await (await log).stop()
    if (!ON_SERVERS) await endSharedServers()
  })

  const serve = (keys: Env) => openService({ ...env, ...keys })
  const status = async (keys: Env) => {
    const result = await command({ ...env, ...keys }, 'master-key', 'status', '--json')
    return Object.fromEntries(result.json<Status>().keys.map(({ which, secrets }) => [which, secrets]))
  }
  const operatorOn = async ({ url }: Service) =>
    connect({ baseUrl: url, key: JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8')) })

  it('re-encrypts all secrets while nodes serve, without failing a request', async () => {
    const late = await serve({ MASTER_KEY: old, MASTER_KEY_OLD: fresh })
    const operator = await operatorOn(late)
    for (let n = 0; n < 20; n += 1) await operator.createGame(`Quest ${n}`)
    const keys = { MASTER_KEY: fresh, MASTER_KEY_OLD: old }
    const early = await serve(keys)
    const lies = await status(keys)
    expect([lies.present, lies['not given']]).to.deep.equal([0, undefined])
    let isOver = false
    let signedIn = 0
    const signingIn = [late, early].map(async (service) => {
      while (!isOver) {
        expect((await operatorOn(service)).permissions).to.deep.equal(['sys:games'])
        signedIn += 1
      }
    })
    const rotated = await command({ ...env, ...keys }, 'master-key', 'rotate', '--json')
    isOver = true
    await Promise.all(signingIn)
    expect(signedIn).to.be.above(0)
    expect(rotated.code, rotated.err).to.equal(0)
    expect(rotated.json()).to.deep.include({ resealed: lies.old, damaged: 0, complete: true })
    expect(await status(keys)).to.deep.equal({ present: lies.old, old: 0 })
    await late.stop()
    await early.stop()
    const alone = await serve({ MASTER_KEY: fresh })
    await operatorOn(alone)
    await alone.stop()
  })

  it('rejects a process that has only the old key, and one that would create a key unknown to the others', async () => {
    const refused = await serve({ MASTER_KEY: old }).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(refused).to.contain('MASTER_KEY does not match the vault')
    const emptyLog = await startEventStore()
    const { storeUrls } = await freshStoresBeside(emptyLog)
    const newInstallation = { ...environmentOf(storeUrls), DATA_DIR: await newFolder() }
    expect((await command(newInstallation, 'init')).code).to.equal(0)
    const made = await command(newInstallation, 'master-key', 'rotate')
    expect([made.code, made.out]).to.deep.equal([1, ''])
    expect(made.err).to.contain('would not know of another. Set MASTER_KEY to a new key')
    await emptyLog.stop()
  })
})
