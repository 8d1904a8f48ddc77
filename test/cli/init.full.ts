// `scorebook init` creates the first secrets without a server, and overwrites nothing.

import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import { command, newFolder, openService } from './service.ts'

describe('scorebook init', () => {
  let dataDir: string
  const init = (...args: string[]) => command({ DATA_DIR: dataDir }, 'init', ...args)

  beforeEach(async () => {
    dataDir = join(await newFolder(), 'data')
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  it('creates a folder, secrets and an operator key that a server then uses', async () => {
    const made = await init('--json')
    const file = join(dataDir, 'operator.json')
    expect([made.code, made.json()]).to.deep.equal([0, { data_dir: dataDir, operator_file: file }])
    expect((await stat(dataDir)).mode & 0o777).to.equal(0o700)
    for (const secret of ['operator.json', 'secrets.json']) {
      expect((await stat(join(dataDir, secret))).mode & 0o777, secret).to.equal(0o600)
    }
    const key = JSON.parse(await readFile(file, 'utf8'))
    const service = await openService({ DATA_DIR: dataDir })
    const operator = await connect({ baseUrl: service.url, key })
    expect(operator.permissions).to.deep.equal(['sys:games'])
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(key)
    await service.stop()
  })

  it('rejects a folder that contains an installation, and does not change it', async () => {
    await init()
    const before = await readFile(join(dataDir, 'operator.json'), 'utf8')
    const again = await init()
    expect([again.code, again.out]).to.deep.equal([1, ''])
    expect(again.err).to.contain(`${dataDir} holds an installation already; its operator key is in`)
    expect(await readFile(join(dataDir, 'operator.json'), 'utf8')).to.equal(before)
    await rm(join(dataDir, 'operator.json'))
    expect((await init()).err)
      .to.contain('its operator key is no longer here')
      .and.contain('--new-key')
    expect(await readdir(dataDir)).not.to.include('operator.json')
  })

  it('rejects a folder that a server has open', async () => {
    const service = await openService({ DATA_DIR: dataDir })
    const refused = await init('--new-key')
    await service.stop()
    expect(refused.code).to.equal(1)
    expect(refused.err).to.contain('is in use').and.contain('Stop the server first')
  })

  it('issues a second operator key, and the server accepts both', async () => {
    await init()
    const path = join(dataDir, 'operator.json')
    const first = JSON.parse(await readFile(path, 'utf8'))
    expect((await init('--new-key')).code).to.equal(0)
    const second = JSON.parse(await readFile(path, 'utf8'))
    expect(second.prefix).not.to.equal(first.prefix)
    const service = await openService({ DATA_DIR: dataDir })
    for (const key of [first, second]) {
      expect((await connect({ baseUrl: service.url, key })).permissions).to.deep.equal(['sys:games'])
    }
    await service.stop()
  })

  it('creates the operator key in production, where starting a server does not', async () => {
    const master = Buffer.alloc(32, 7).toString('base64')
    const env = { DATA_DIR: dataDir, NODE_ENV: 'production', MASTER_KEY: master, PUBLIC_URL: 'https://scores.example' }
    expect((await command({ ...env, MASTER_KEY: '' }, 'init')).code).to.equal(2)
    expect((await command(env, 'init')).code).to.equal(0)
    expect(existsSync(join(dataDir, 'secrets.json'))).to.equal(false)
    const service = await openService(env)
    const key = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
    expect((await connect({ baseUrl: service.url, key })).permissions).to.deep.equal(['sys:games'])
    await service.stop()
  })
})
