// A service without a file store answers 503 `files_off` to file calls, naming the settings, and serves everything
// else.

import { expect } from 'chai'
import type { Answered } from '../http-client.ts'
import { answerCode } from '../tenant.ts'
import { must, openWorld, type World } from '../world.ts'
import { type FilesFixture, openFilesFixture } from './files-fixture.ts'

const OFF = '503 files_off'

describe('a service without a file store', () => {
  let world: World
  let fixture: FilesFixture
  let newUpload: string

  before(async () => {
    let hasFileStore = true
    world = await openWorld({ hasFileStore: () => hasFileStore })
    fixture = await openFilesFixture(world)
    await fixture.freshBucket({ max_file_bytes: 10 })
    must(await fixture.upload('/kept', 'kept', fixture.ada.token), 200)
    newUpload = must(await fixture.begin('/begun', 3, fixture.ada.token), 201).upload_id
    hasFileStore = false
    await world.restart()
  })
  after(() => world.close())

  it('refuses to begin an upload with 503 files_off, and names the settings', async () => {
    const answer: Answered = await fixture.begin('/new', 3, fixture.ada.token)
    expect(answerCode(answer)).to.equal(OFF)
    expect(answer.body.detail).to.contain('FILES_DIR').and.contain('S3_URL')
    expect(answer.headers['retry-after']).to.match(/^[0-9]+$/)
  })

  it('refuses to complete an upload, and to make a download link, with 503 files_off', async () => {
    expect(answerCode(await fixture.complete(newUpload, fixture.ada.token))).to.equal(OFF)
    expect(answerCode(await fixture.download('/kept', fixture.ada.token))).to.equal(OFF)
  })

  it('reserves no download bytes for the downloads that it refuses', async () => {
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { monthly_download_bytes: 5 }), 200)
    for (let n = 0; n < 3; n++) expect(answerCode(await fixture.download('/kept', fixture.bob.token))).to.equal(OFF)
  })

  it('checks everything that comes before the file store as a service with one does', async () => {
    expect(answerCode(await fixture.begin('/new', 11, fixture.ada.token))).to.equal('422 file_too_large')
    expect(answerCode(await fixture.begin('/no/such', 3, fixture.ada.token))).to.equal('404 not_found')
    expect(answerCode(await fixture.begin('/kept', 3, fixture.bob.token))).to.equal('404 not_found')
    expect(answerCode(await fixture.download('/no', fixture.ada.token))).to.equal('404 not_found')
  })

  it('lists, describes and deletes files', async () => {
    expect(must(await fixture.ls('/', fixture.ada.token), 200).file_count).to.equal(1)
    expect(must(await fixture.file('/kept', fixture.ada.token), 200).size).to.equal(4)
    must(await fixture.unlink('/kept', fixture.ada.token), 200)
    must(await fixture.mkdir('/new/', fixture.ada.token), 201)
  })
})
