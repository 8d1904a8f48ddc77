// Only the installation that a file store's marker names deletes and accepts bytes in it: two starts at once, damaged
// markers, deletions recorded meanwhile, and an owner that changes while a process runs.

import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { uploadStream } from '../../domain/upload.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { OwnableFiles } from '../../stores/contract/files.ts'
import type { Log } from '../../stores/contract/log.ts'
import { openLocalFiles } from '../../stores/files/local.ts'
import { openOwnedFiles } from '../../stores/owned/files.ts'
import { markerText, mayMark, OWNER_BELIEVED_MS, type Owner, ownerFault } from '../../stores/owned/ownership.ts'
import { countDeletions, executeDeletions } from '../../stores/owned/recorded-deletions.ts'
import { newId } from '../bytes.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { KEY } from '../files/files-api.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { until } from '../until.ts'
import { newPath } from './folder.ts'

const [OURS, THEIRS] = ['a'.repeat(24), 'b'.repeat(24)]
const EXPECTED = { blob: newId(), size: 1, contentType: 'a/b', sha256: null }

const uploadOf = (blob: string) => ({ ...someEvent(), type: 'UploadOpened', data: { blob } })

/** A store whose marker and sweeps can be looked at. */
function createStore() {
  const files = createMemoryFiles(Date.now)
  const seen = { marker: null as string | null, sweeps: 0, isAway: false }
  const read = async () => {
    if (seen.isAway) throw new StoreUnavailable('away')
    return seen.marker
  }
  const store: OwnableFiles = {
    ...files,
    owner: {
      read,
      create: async (text) => {
        seen.marker ??= text
      },
      replace: async (text) => {
        seen.marker = text
      },
    },
    sweepTemporary: async () => {
      seen.sweeps++
    },
  }
  const put = (...blobs: string[]) => {
    for (const blob of blobs) files.plant(blob, Buffer.from('x'), 0)
  }
  return { store, seen, put, blobs: files.blobs }
}

async function openOn(
  store: OwnableFiles,
  given: { isRestored?: boolean; vault?: ReturnType<typeof createMemoryVault>; log?: Log; isImported?: boolean } = {},
) {
  const { isRestored = false, isImported = false, vault = createMemoryVault(), log = createMemoryLog() } = given
  const clock = { ms: 0 }
  const changes: Owner[] = []
  const opened = await openOwnedFiles(store, {
    vault,
    installation: OURS,
    mayMark: () => mayMark({ files: store, log, isRestored, isImported }),
    onChange: (owner) => void changes.push(owner),
    onCleanUpFailure: (failure) => {
      throw failure
    },
    elapsedMs: () => clock.ms,
  })
  return { ...opened, vault, clock, changes }
}

const codeOf = (calling: Promise<unknown>): Promise<unknown> =>
  calling.then(
    () => 'accepted',
    (failure: { code?: unknown }) => failure.code,
  )

describe('the owner of a file store', () => {
  it('is the installation that starts first on a store without a marker, unless a restore made it', async () => {
    const { store, seen } = createStore()
    const restored = await openOn(store, { isRestored: true })
    expect([restored.ownership.latest().kind, seen.marker]).to.deep.equal(['none', null])
    const first = await openOn(store)
    expect([first.ownership.latest().kind, seen.marker]).to.deep.equal(['this', markerText(OURS)])
    await Promise.all([restored.files.close(), first.files.close()])
  })

  it('is no new installation if the store has blobs that a version without markers stored', async () => {
    const { store, seen, put, blobs } = createStore()
    put('kept')
    const other = await openOn(store)
    expect([other.ownership.latest().kind, seen.marker]).to.deep.equal(['none', null])
    await other.files.remove(['kept'], 'orphans')
    expect(blobs()).to.deep.equal(['kept'])
    const log = createMemoryLog()
    for (const n of [1, 2]) await appended(log, `lb_b-${n}`, 'none', [someEvent()])
    await appended(log, uploadStream('u1'), 'none', [uploadOf('kept')])
    const imported = await openOn(store, { log, isImported: true })
    expect(imported.ownership.latest().kind).to.equal('none')
    await imported.files.close()
    const own = await openOn(store, { log })
    expect([own.ownership.latest().kind, seen.marker]).to.deep.equal(['this', markerText(OURS)])
    await Promise.all([other.files.close(), own.files.close()])
  })

  it('is no installation whose uploads are in another store, or only some of them in this one', async () => {
    const { store, seen, put, blobs } = createStore()
    put('theirs')
    const log = createMemoryLog()
    await appended(log, uploadStream('u1'), 'none', [uploadOf('ours')])
    const elsewhere = await openOn(store, { log })
    await elsewhere.files.remove(['theirs'], 'orphans')
    expect([elsewhere.ownership.latest().kind, seen.marker, blobs()]).to.deep.equal(['none', null, ['theirs']])
    put('ours')
    const mixed = await openOn(store, { log })
    await mixed.files.remove(['theirs'], 'orphans')
    expect([mixed.ownership.latest().kind, seen.marker, blobs()]).to.deep.equal(['none', null, ['ours', 'theirs']])
    await Promise.all([elsewhere.files.close(), mixed.files.close()])
  })

  it('is the installation that stored all of its blobs, however far apart their uploads are in the log', async () => {
    const { store, seen, put } = createStore()
    const log = createMemoryLog()
    const many = Array.from({ length: 1_500 }, (_, n) => `blob${n}`)
    put(...many)
    for (const blob of many) await appended(log, uploadStream(blob), 'none', [uploadOf(blob), someEvent()])
    const { files } = await openOn(store, { log })
    expect(seen.marker).to.equal(markerText(OURS))
    await files.close()
  })

  it('is one of two installations that start at once in one folder, and all processes of it', async () => {
    const folder = newPath('files')
    const open = async (installation: string) => {
      const files = await openLocalFiles({ folder, publicUrl: 'http://x', key: KEY })
      const options = { vault: createMemoryVault(), installation, mayMark: async () => true }
      return openOwnedFiles(files, { ...options, onChange: () => {}, onCleanUpFailure: () => {} })
    }
    const started = await Promise.all([OURS, THEIRS, OURS, THEIRS, OURS, THEIRS].map(open))
    const owning = started.filter(({ ownership }) => ownership.latest().kind === 'this')
    expect(owning.map(({ ownership }) => ownership.installation)).to.have.length(3)
    expect(new Set(owning.map(({ ownership }) => ownership.installation)).size).to.equal(1)
    await Promise.all(started.map(({ files }) => files.close()))
  })

  for (const [what, text] of [
    ['empty', ''],
    ['cut off', markerText(OURS).slice(0, -1)],
    ['longer', `${markerText(OURS)}\n`],
    ['of another case', markerText(OURS).toUpperCase()],
    ['random', '\u0000\u0001\u0002'],
    ['of another installation', markerText(THEIRS)],
  ] as const) {
    it(`is another installation if the marker is ${what}`, async () => {
      const { store, seen, put, blobs } = createStore()
      seen.marker = text
      put('kept')
      const { files, ownership } = await openOn(store)
      const other = text === markerText(THEIRS) ? THEIRS : null
      expect(ownership.latest()).to.deep.equal({ kind: 'other', installation: other })
      await files.remove(['kept'])
      expect([blobs(), seen.marker]).to.deep.equal([['kept'], text])
      await files.close()
    })
  }

  it('is another installation if a folder has the name of the marker', async () => {
    const folder = newPath('files')
    mkdirSync(join(folder, 'owner'), { recursive: true })
    const { files, ownership } = await openOn(await openLocalFiles({ folder, publicUrl: 'http://x', key: KEY }))
    expect(ownership.latest()).to.deep.equal({ kind: 'other', installation: null })
    await files.close()
  })

  it('is named with both ids and the command to operators', () => {
    const fault = ownerFault({ kind: 'other', installation: THEIRS }, OURS)
    expect(fault).to.contain(OURS).and.contain(THEIRS).and.contain('scorebook files adopt')
    expect(ownerFault({ kind: 'this' }, OURS)).to.equal(null)
  })
})

describe('a file store of another installation', () => {
  it('accepts no uploads, with 503 files_off, and serves downloads and lists', async () => {
    const { store, seen, put } = createStore()
    seen.marker = markerText(THEIRS)
    put('kept')
    const { files } = await openOn(store)
    expect(await codeOf(files.uploadLink('u', EXPECTED, Date.now()))).to.equal('files_off')
    expect(await codeOf(files.checkUploads?.() ?? Promise.resolve())).to.equal('files_off')
    const offered = { ...EXPECTED, blob: 'kept', name: 'a', bucket: 'b', download: 'd' }
    expect(await codeOf(files.downloadLink(offered, Date.now()))).to.equal('accepted')
    expect([(await files.stored('kept'))?.size, (await files.list(null, 9)).length]).to.deep.equal([1, 1])
    await files.close()
  })

  it('keeps its temporary files and blobs: deletions are recorded, and those of orphans are not', async () => {
    const { store, seen, put, blobs } = createStore()
    seen.marker = markerText(THEIRS)
    put('a', 'b', 'orphan')
    const { files, vault } = await openOn(store)
    await files.remove(['a', 'b', 'was deleted long ago'])
    await files.remove(['a'])
    await files.remove(['orphan'], 'orphans')
    await files.close()
    expect(blobs()).to.deep.equal(['a', 'b', 'orphan'])
    expect(await vault.idsOf('blob-deletion', null, 9)).to.deep.equal(['a', 'b'])
    expect(seen.sweeps).to.equal(0)
  })

  it('has a deletion recorded although it cannot say whether the blob is there', async () => {
    const { store, seen } = createStore()
    seen.marker = markerText(THEIRS)
    const stored = async () => {
      throw new StoreUnavailable('away')
    }
    const { files, vault } = await openOn({ ...store, stored })
    await files.remove(['a'])
    expect(await vault.idsOf('blob-deletion', null, 9)).to.deep.equal(['a'])
    await files.close()
  })

  it('has its recorded deletions executed by the next start of its owner, page by page', async () => {
    const { store, seen, put, blobs } = createStore()
    seen.marker = markerText(THEIRS)
    const many = Array.from({ length: 1_234 }, (_, n) => `blob${n}`)
    put(...many, 'kept')
    const before = await openOn(store)
    await before.files.remove(many)
    await before.files.close()
    expect([await countDeletions(before.vault), blobs()]).to.deep.equal([1_234, [...many, 'kept'].sort()])
    // As `files adopt` does; it is killed between the marker and the deletions.
    seen.marker = markerText(OURS)
    const after = await openOn(store, { vault: before.vault })
    await until(() => blobs().length === 1)
    await after.files.close()
    expect([blobs(), await countDeletions(before.vault), seen.sweeps]).to.deep.equal([['kept'], 0, 1])
  })

  it('has the rest of its recorded deletions executed after one that failed halfway', async () => {
    const { store, seen, put, blobs } = createStore()
    const vault = createMemoryVault()
    const many = Array.from({ length: 600 }, (_, n) => `blob${n}`)
    put(...many)
    for (const blob of many) await vault.putIfAbsent('blob-deletion', blob, new Uint8Array([1]))
    seen.marker = markerText(OURS)
    let calls = 0
    const failing = {
      remove: async (some: readonly string[]) => {
        await store.remove(some.slice(0, 10))
        if (calls++ === 0) throw new StoreUnavailable('away')
        await store.remove(some)
      },
    }
    const execution = { vault, files: failing, mayContinue: async () => true, onProgress: () => {} }
    await executeDeletions(execution).catch(() => {})
    expect([blobs().length, await countDeletions(vault)]).to.deep.equal([590, 600])
    expect(await executeDeletions(execution)).to.equal(true)
    expect([blobs(), await countDeletions(vault)]).to.deep.equal([[], 0])
  })
})

describe('an owner of a file store that changes while a process runs', () => {
  it(`ends the deletions of the former owner within ${OWNER_BELIEVED_MS} ms, and is reported`, async () => {
    const { store, seen, put, blobs } = createStore()
    put('a', 'b', 'c')
    seen.marker = markerText(OURS)
    const { files, clock, changes, vault } = await openOn(store)
    seen.marker = markerText(THEIRS)
    clock.ms = OWNER_BELIEVED_MS - 1
    await files.remove(['a'])
    expect(blobs()).to.deep.equal(['b', 'c'])
    clock.ms = OWNER_BELIEVED_MS
    await files.remove(['b'])
    await files.remove(['c'], 'orphans')
    expect(blobs()).to.deep.equal(['b', 'c'])
    expect(await vault.idsOf('blob-deletion', null, 9)).to.deep.equal(['b'])
    expect(changes).to.deep.equal([{ kind: 'other', installation: THEIRS }])
    expect(await codeOf(files.uploadLink('u', EXPECTED, Date.now()))).to.equal('files_off')
    await files.close()
  })

  it('is looked at between two parts of one deletion of many blobs', async () => {
    const { store, seen, put, blobs } = createStore()
    const many = Array.from({ length: 250 }, (_, n) => `blob${n}`)
    put(...many)
    seen.marker = markerText(OURS)
    const clock: { at: { ms: number } | null } = { at: null }
    const slow: OwnableFiles = {
      ...store,
      remove: async (some) => {
        await store.remove(some)
        seen.marker = markerText(THEIRS)
        if (clock.at !== null) clock.at.ms += OWNER_BELIEVED_MS
      },
    }
    const opened = await openOn(slow)
    clock.at = opened.clock
    await opened.files.remove(many)
    expect([blobs().length, await countDeletions(opened.vault)]).to.deep.equal([150, 150])
    await opened.files.close()
  })

  it('is no owner if the marker is gone, as on a disk that is not mounted', async () => {
    const { store, seen, put, blobs } = createStore()
    put('a')
    seen.marker = markerText(OURS)
    const { files, clock } = await openOn(store)
    seen.marker = null
    clock.ms = OWNER_BELIEVED_MS
    await files.remove(['a'])
    expect([blobs(), seen.marker]).to.deep.equal([['a'], null])
    await files.close()
  })

  it('keeps deletions waiting while the store does not answer', async () => {
    const { store, seen, put, blobs } = createStore()
    put('a')
    seen.marker = markerText(OURS)
    const { files, clock } = await openOn(store)
    seen.isAway = true
    clock.ms = OWNER_BELIEVED_MS
    const failure = await files.remove(['a']).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StoreUnavailable)
    expect(await codeOf(files.uploadLink('u', EXPECTED, Date.now() + 1))).to.equal('accepted')
    expect(blobs()).to.deep.equal(['a'])
    seen.isAway = false
    await files.remove(['a'])
    expect(blobs()).to.deep.equal([])
    await files.close()
  })
})

describe('a folder of files of another installation', () => {
  it('keeps old temporary files, which may be of uploads that the other one takes', async () => {
    const folder = newPath('files')
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    writeFileSync(join(folder, 'owner'), markerText(THEIRS))
    const old = join(folder, 'tmp', `owner.${'0a'.repeat(9)}`)
    writeFileSync(old, 'x')
    utimesSync(old, 0, 0)
    const files = await openLocalFiles({ folder, publicUrl: 'http://x', key: KEY })
    const { files: owned } = await openOn(files)
    await owned.close()
    expect(existsSync(old)).to.equal(true)
    await files.owner.replace(markerText(OURS))
    const { files: adopted } = await openOn(await openLocalFiles({ folder, publicUrl: 'http://x', key: KEY }))
    await adopted.close()
    expect(existsSync(old)).to.equal(false)
  })
})
