// A restore drill with the FILES_DIR of the running production, and one with a folder of its own.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { command, newFolder, openService } from '../../cli/service.ts'
import { filesBelow } from '../../files/files-api.ts'
import { sized } from '../../seeds.ts'
import { openBackedUp, restoredFolder } from './backed-up.ts'
import { drillWith, type Order, sharedFolder } from './shared-store.ts'

describe('a restored installation with the FILES_DIR of production', function () {
  this.timeout(60_000)
  for (const order of sized<readonly Order[]>(
    ['restored, unmarked'],
    ['restored, unmarked', 'production', 'restored'],
  )) {
    it(`deletes no byte of production before it adopts the folder; order of the starts: ${order} first`, async () => {
      await drillWith(await sharedFolder(), order)
    })
  }
})

describe('an installation that was imported with the vault, with the FILES_DIR of production', () => {
  it('is another installation, and adopts it only by `files adopt`', async () => {
    const { service } = await openBackedUp()
    await service.stop()
    const files = join(service.dataDir, 'files')
    const marker = () => readFileSync(join(files, 'owner'), 'utf8')
    const before = marker()
    const [exported, vault, dataDir] = [
      join(await newFolder(), 'export'),
      join(await newFolder(), 'vault'),
      await newFolder(),
    ]
    const own = { MASTER_KEY: service.env.MASTER_KEY ?? '', DATA_DIR: service.dataDir }
    const made = await command(own, 'history', 'export', '--all', '--out', exported, '--vault', vault)
    expect(made.code, made.err).to.equal(0)
    const env = { ...own, DATA_DIR: dataDir, FILES_DIR: files }
    const imported = await command(env, 'history', 'import', exported, '--vault', vault)
    expect([imported.code, imported.out.includes('files adopt')], imported.err).to.deep.equal([0, true])
    const running = await openService(env)
    await running.stop()
    expect(marker()).to.equal(before)
    const refused = await command(env, 'files', 'adopt')
    expect([refused.code, refused.err.includes(before.split(' ')[1]?.trim() ?? '')], refused.err).to.deep.equal([
      2,
      true,
    ])
    expect((await command(env, 'files', 'adopt', '--yes')).code).to.equal(0)
    expect(marker()).not.to.equal(before)
    await service.close()
  })
})

describe('an empty data folder with the FILES_DIR of production', () => {
  it('does not adopt it, and is not filled', async () => {
    const { service } = await openBackedUp()
    await service.stop()
    const files = join(service.dataDir, 'files')
    const marker = readFileSync(join(files, 'owner'), 'utf8')
    const empty = await newFolder()
    const env = { DATA_DIR: empty, MASTER_KEY: service.env.MASTER_KEY ?? '', FILES_DIR: files }
    for (const confirmed of [[], ['--yes']]) {
      const refused = await command(env, 'files', 'adopt', ...confirmed)
      expect([refused.code, refused.err.includes(`no installation in ${empty}`)], refused.err).to.deep.equal([1, true])
    }
    expect(readdirSync(empty)).to.deep.equal([])
    expect(readFileSync(join(files, 'owner'), 'utf8')).to.equal(marker)
    await service.close()
  })
})

describe('a restored installation with a new folder of files in its data folder', () => {
  it('accepts no uploads until `files adopt`, and then does', async () => {
    const from = await openBackedUp()
    await from.backUp()
    const folder = await restoredFolder(from)
    await from.service.close()
    const env = { DATA_DIR: folder, MASTER_KEY: from.service.env.MASTER_KEY ?? '' }
    const filesOf = async () => {
      const service = await openService(env)
      const listed = await service.run('doctor', '--json')
      await service.stop()
      return listed.json<{ findings: { name: string; detail: string }[] }>().findings
    }
    expect((await filesOf()).find(({ detail }) => detail.startsWith('degraded: files'))).not.to.equal(undefined)
    const refused = await command(env, 'files', 'adopt')
    expect([refused.code, refused.err.includes('has no owner marker')], refused.err).to.deep.equal([2, true])
    expect(refused.err).to.match(
      /has no owner marker\. This installation is [0-9a-f]{24}\.\nWith --yes: .*0 recorded deletions are executed/,
    )
    expect(refused.err).to.match(/Nothing was changed\. .* run: scorebook files adopt --yes$/)
    expect(filesBelow(join(folder, 'files'))).to.deep.equal([])
    const done = await command(env, 'files', 'adopt', '--yes')
    expect([done.code, done.out.includes('now belongs to this installation')], done.err).to.deep.equal([0, true])
    expect(filesBelow(join(folder, 'files'))).to.deep.equal(['owner'])
    expect((await filesOf()).find(({ detail }) => detail.startsWith('degraded: files'))).to.equal(undefined)
  })
})
