// A service without a file store: files are 503 `files_off`, which says what the operator sets, and all else works.

import { expect } from 'chai'
import type { Answered } from '../http-client.ts'
import { told } from '../tenant.ts'
import { must, openWorld, type World } from '../world.ts'
import { type Cabinet, openCabinet } from './cabinet.ts'

const OFF = { status: 503, code: 'files_off' }

describe('a service without a file store', () => {
  let world: World
  let cabinet: Cabinet
  let begun: string

  before(async () => {
    let hasFileStore = true
    world = await openWorld({ hasFileStore: () => hasFileStore })
    cabinet = await openCabinet(world)
    await cabinet.freshBucket({ max_file_bytes: 10 })
    must(await cabinet.upload('/kept', 'kept', cabinet.ada.token), 200)
    begun = must(await cabinet.begin('/begun', 3, cabinet.ada.token), 201).upload_id
    hasFileStore = false
    await world.restart()
  })
  after(() => world.close())

  it('refuses to begin an upload with 503 files_off, and names the settings', async () => {
    const answer: Answered = await cabinet.begin('/new', 3, cabinet.ada.token)
    expect(told(answer)).to.deep.equal(OFF)
    expect(answer.body.detail).to.contain('FILES_DIR').and.contain('S3_URL')
    expect(answer.headers['retry-after']).to.match(/^[0-9]+$/)
  })

  it('refuses to complete an upload, and to make a link for a download', async () => {
    expect(told(await cabinet.complete(begun, cabinet.ada.token))).to.deep.equal(OFF)
    expect(told(await cabinet.download('/kept', cabinet.ada.token))).to.deep.equal(OFF)
  })

  it('reserves nothing for the downloads that it refuses', async () => {
    must(await cabinet.put(`/api/bkt/${cabinet.bucket}/`, { monthly_download_bytes: 5 }), 200)
    for (let n = 0; n < 3; n++) expect(told(await cabinet.download('/kept', cabinet.bob.token))).to.deep.equal(OFF)
  })

  it('refuses first what is refused with a file store too', async () => {
    expect(told(await cabinet.begin('/new', 11, cabinet.ada.token))).to.deep.equal({
      status: 422,
      code: 'file_too_large',
    })
    expect(told(await cabinet.begin('/no/such', 3, cabinet.ada.token))).to.deep.equal({
      status: 404,
      code: 'not_found',
    })
    expect(told(await cabinet.begin('/kept', 3, cabinet.bob.token))).to.deep.equal({ status: 404, code: 'not_found' })
    expect(told(await cabinet.download('/no', cabinet.ada.token))).to.deep.equal({ status: 404, code: 'not_found' })
  })

  it('lists files, tells of them, and deletes them', async () => {
    expect(must(await cabinet.ls('/', cabinet.ada.token), 200).file_count).to.equal(1)
    expect(must(await cabinet.file('/kept', cabinet.ada.token), 200).size).to.equal(4)
    must(await cabinet.unlink('/kept', cabinet.ada.token), 200)
    must(await cabinet.mkdir('/new/', cabinet.ada.token), 201)
  })
})
