// The server under the restrictions of the image and of the systemd unit: unprivileged, without capabilities, on
// read-only folders but for its data.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { read } from './compose-file.ts'
import { execOf, lastStage } from './dockerfile.ts'
import { type Sandboxed, startSandboxed, USER } from './sandbox.ts'

/** The server ends itself after this time at the latest. */
const ENDS_WITHIN_MS = 20_000

describe('the server as the image and the systemd unit start it', function () {
  this.timeout(90_000)
  let server: Sandboxed
  before(async () => {
    server = await startSandboxed()
    await server.healthy()
  })
  after(() => server.close())

  const status = (field: string): string =>
    new RegExp(`^${field}:[ \\t]*(.*)$`, 'm').exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? ''

  it('is the user of the image, with no capability, no new privileges', () => {
    const user = lastStage().find(({ name }) => name === 'USER')?.text
    expect(user).to.equal(`${USER}:${USER}`)
    for (const field of ['Uid', 'Gid']) expect(new Set(status(field).split('\t'))).to.deep.equal(new Set([`${USER}`]))
    for (const field of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect([field, BigInt(`0x${status(field)}`)]).to.deep.equal([field, 0n])
    expect([status('NoNewPrivs'), status('Umask'), status('Groups').trim()]).to.deep.equal(['1', '0077', ''])
  })

  it('has the command of the unit', () => {
    const unit = read('deploy/scorebook.service')
    const started = /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(unit)?.[1]
    const image = lastStage().filter(({ name }) => name === 'ENTRYPOINT' || name === 'CMD')
    expect(started).to.equal(image.flatMap(execOf).join(' '))
    for (const line of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'UMask=0077'])
      expect(unit.split('\n'), line).to.include(line)
  })

  it('sees every folder read-only but its data', () => {
    const mounts = readFileSync(`/proc/${server.pid}/mountinfo`, 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
    const modeOf = (path: string) =>
      mounts
        .filter((fields) => fields[4] === path)
        .at(-1)?.[5]
        ?.split(',')[0]
    const { folder, dataDir } = server
    expect(['/', folder, join(folder, 'app/node_modules'), dataDir].map(modeOf)).to.deep.equal(['ro', 'ro', 'ro', 'rw'])
  })

  it('serves, and lets nobody else read its files', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/openapi.json`)
    expect(answer.status).to.equal(200)
    // To its end: an answer that is under way would hold the stop up.
    await answer.text()
    const names = readdirSync(server.dataDir)
    expect(names).to.include.members(['log.sqlite', 'vault.sqlite', 'views.sqlite'])
    for (const name of names) {
      const { mode, uid } = statSync(join(server.dataDir, name))
      expect([name, mode & 0o077, uid]).to.deep.equal([name, 0, USER])
    }
  })

  it('ends in time at SIGTERM, in order', async () => {
    const { code, tookMs } = await server.terminate()
    expect(code, server.output()).to.equal(0)
    expect(tookMs).to.be.lessThan(ENDS_WITHIN_MS)
    expect(server.output())
      .to.match(/"msg":"stopped"/)
      .and.not.match(/"level":(50|60)/)
  })
})
