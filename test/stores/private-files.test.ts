// Only the owner can read the files in the data folder.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openEmbedded } from '../../stores/embedded/open.ts'
import { tighten } from '../../stores/embedded/private-files.ts'
import { viewSpec } from '../contracts/documents.ts'
import { appended, someEvent } from '../contracts/events.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('permissions of the data folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scorebook-private-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const modes = () => Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

  it('let only the owner read databases and their WAL files, with any umask', async () => {
    const umask = process.umask(0)
    try {
      const stores = await openEmbedded(folder, { onFailure: () => {} })
      await appended(stores.log, 's-1', 'none', [someEvent()])
      await stores.views.prepare(viewSpec())
      await stores.vault.putIfAbsent('email', 'e1', Uint8Array.of(1))
      const stored = ['log.sqlite', 'log-index.sqlite', 'vault.sqlite', 'views.sqlite']
      const names = stored.flatMap((name) => [name, `${name}-wal`]).concat('log-index.sqlite-sums', 'views.sqlite-sums')
      expect(modes()).to.deep.equal(Object.fromEntries(names.map((name) => [name, '600'])))
      await stores.close()
    } finally {
      process.umask(umask)
    }
  })

  it('are tightened on files that an older version left readable, except in the folder of uploaded files', async () => {
    for (const name of ['log.sqlite', 'views.sqlite-wal']) writeFileSync(join(folder, name), '', { mode: 0o644 })
    for (const name of ['mail', 'files']) {
      mkdirSync(join(folder, name), { mode: 0o755 })
      writeFileSync(join(folder, name, 'one'), '', { mode: 0o644 })
    }
    chmodSync(folder, 0o755)
    expect(await tighten(folder)).to.deep.equal([])
    expect(modeOf(folder)).to.equal('700')
    expect(modes()).to.deep.equal({ 'log.sqlite': '600', 'views.sqlite-wal': '600', mail: '700', files: '700' })
    expect(modeOf(join(folder, 'mail', 'one'))).to.equal('600')
    expect(modeOf(join(folder, 'files', 'one'))).to.equal('644')
  })

  it('are reported where they cannot be changed, without stopping the start', async () => {
    const failures = await tighten('/proc/sys/kernel/random')
    expect(failures.length).to.be.greaterThan(0)
    for (const failure of failures)
      expect(failure).to.match(/^\/proc\/sys\/kernel\/random.* cannot be changed \(E[A-Z]+\)$/)
  })
})
