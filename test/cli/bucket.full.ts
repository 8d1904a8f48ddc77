// `scorebook bucket …`: what it prints for people and for scripts.

import { expect } from 'chai'
import { bytesNumber, bytesText } from '../../cli/sizes.ts'
import type { Bucket, Listing, RuledFolder } from '../../clients/javascript/file-shapes.ts'
import { openService, type Service } from './service.ts'

describe('scorebook bucket', () => {
  let service: Service
  let bucket: string

  before(async () => {
    service = await openService()
    await service.json('game', 'create', 'Quest')
  })
  after(() => service.close())

  it('creates, lists, shows, changes and deletes buckets', async () => {
    expect((await service.run('bucket', 'list')).out).to.contain('This game has no buckets.')
    const made = await service.json<Bucket>('bucket', 'create', 'Saves', '--max-bytes', '1.5K', '--max-files', '7')
    bucket = made.id
    expect(made).to.deep.include({ name: 'Saves', max_bytes: 1_536, max_files: 7, max_file_bytes: 8_388_608 })
    expect((await service.run('bucket', 'show', bucket)).out.split('\n').map((line) => line.trim())).to.include.members(
      [
        'holds       0 bytes of 1.5 KiB',
        'files       0 of 7',
        'a player    16 MiB, 100 files',
        'this month  0 bytes of 10 GiB downloaded',
      ],
    )
    const set = await service.json<Bucket>('bucket', 'set', bucket, '--name', 'Worlds', '--max-file-bytes', '1K')
    expect(set).to.deep.include({ name: 'Worlds', max_file_bytes: 1_024, max_bytes: 1_536 })
    expect((await service.run('bucket', 'list')).out).to.contain('Worlds')
    const wrong = await service.run('bucket', 'set', bucket, '--max-bytes', 'lots')
    expect([wrong.code, wrong.err.startsWith('scorebook: --max-bytes must be')]).to.deep.equal([2, true])
    expect((await service.run('bucket', 'set', bucket)).code).to.equal(2)
  })

  it('creates, lists and deletes folders, and sets and explains their rules', async () => {
    expect((await service.run('bucket', 'mkdir', bucket, '/a/')).out).to.equal('Made /a/')
    expect((await service.run('bucket', 'mkdir', bucket, '/a/b/')).out).to.equal('Made /a/b/')
    const listing = await service.json<Listing>('bucket', 'ls', bucket)
    expect([listing.folder_count, listing.file_count]).to.deep.equal([1, 0])
    expect((await service.run('bucket', 'ls', bucket, '/a/')).out).to.match(/ b\/ .*\n\n1 folders, 0 files$/s)
    const changed = await service.json<RuledFolder>('bucket', 'rules', bucket, '/a/', '--create', 'player', '--all')
    expect(changed.rules).to.deep.include({ create: 'player', mkdir: 'nobody' })
    expect((await service.json<RuledFolder>('bucket', 'rules', bucket, '/a/b/')).rules.create).to.equal('player')
    const child = await service.run('bucket', 'rules', bucket, '/a/', '--children', '--mkdir', 'creator')
    expect(child.out).to.contain('nobody, new folders inside creator')
    const explained = (await service.run('bucket', 'explain', bucket, '/a/x')).out
    expect(explained).to.match(/^The rules of \/a\/ decide:/)
    expect(explained).to.match(/create +player +no +the rule requires a player/)
    const full = await service.run('bucket', 'rmdir', bucket, '/a/')
    expect([full.code, full.err.includes('folder_not_empty')]).to.deep.equal([1, true])
    expect((await service.run('bucket', 'rmdir', bucket, '/a/', '--recursive')).out).to.equal('Deleted /a/')
    expect((await service.run('bucket', 'rm', bucket, '/none')).code).to.equal(1)
    expect((await service.run('bucket', 'delete', bucket)).out).to.equal(`Deleted ${bucket}.`)
  })

  it('parses and prints sizes with units', () => {
    const read = ['0', '64k', '500M', '2GiB', '1.5K'].map((text) => bytesNumber('--x', text))
    expect(read).to.deep.equal([0, 65_536, 524_288_000, 2_147_483_648, 1_536])
    for (const text of ['', '-1', '1.23', '1e3', '1 G', 'x'])
      expect(() => bytesNumber('--x', text), text).to.throw('--x')
    const shown = [0, 1, 1_023, 1_024, 1_536, 10_240, 1_048_576, 1_288_490_189].map(bytesText)
    expect(shown).to.deep.equal(['0 bytes', '1 byte', '1,023 bytes', '1 KiB', '1.5 KiB', '10 KiB', '1 MiB', '1.2 GiB'])
  })
})
