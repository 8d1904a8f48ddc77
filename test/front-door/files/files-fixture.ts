// A bucket on the shared server with its callers: a tenant, two players, and a client without a player; and uploads
// from the link to the completed file.

import { sha256 } from '../../bytes.ts'
import { clientToken, type Guest, signInGuest } from '../game-fixtures.ts'
import type { Answered, Body } from '../http-client.ts'
import { openTenant, type Tenant } from '../tenant.ts'
import { must, type World } from '../world.ts'

export const OPEN_RULES = {
  list_folders: 'anyone',
  list_files: 'anyone',
  mkdir: 'player',
  create: 'player',
  read: 'anyone',
  overwrite: 'creator',
  delete: 'creator',
}

export interface FilesFixture extends Tenant {
  /** A client key's token without a player, and two players of it. */
  readonly client: string
  readonly ada: Guest
  readonly bob: Guest
  /** Id of the current bucket. */
  bucket: string
  freshBucket(options?: object, rules?: object | null): Promise<string>
  at(rest: string): string
  mkdir(path: string, token?: string): Promise<Answered>
  ls(path: string, token?: string, query?: string): Promise<Answered>
  setRules(path: string, rules: object, childRules?: object | null, applyToExisting?: boolean): Promise<Answered>
  begin(path: string, bytes: Uint8Array | number, token?: string, more?: object): Promise<Answered>
  complete(upload: string, token?: string): Promise<Answered>
  /** Begins, sends and completes an upload; returns the answer of complete. */
  upload(path: string, bytes: string | Uint8Array, token?: string): Promise<Answered>
  file(path: string, token?: string): Promise<Answered>
  download(path: string, token?: string): Promise<Answered>
  unlink(path: string, token?: string): Promise<Answered>
  rmdir(path: string, query?: string, token?: string): Promise<Answered>
  details(): Promise<Body>
}

export async function openFilesFixture(own: World | null = null): Promise<FilesFixture> {
  const tenant = await openTenant(own)
  const { world, game, get, post, put, remove } = tenant
  const client = await clientToken(world, game)
  const ada = await signInGuest(world, game, client, 'Ada')
  const bob = await signInGuest(world, game, client, 'Bob')
  const query = (path: string) => `?path=${encodeURIComponent(path)}`
  const fixture: FilesFixture = {
    ...tenant,
    client,
    ada,
    bob,
    bucket: '',
    async freshBucket(options = {}, rules = OPEN_RULES) {
      const made = must(await post(`/api/gm/${game.id}/buckets/`, { name: 'Saves', ...options }), 201)
      fixture.bucket = made.id
      if (rules !== null) must(await fixture.setRules('/', rules), 200)
      return made.id
    },
    at: (rest) => `/api/bkt/${fixture.bucket}/${rest}`,
    mkdir: (path, token) => post(fixture.at('dir/'), { path }, token),
    ls: (path, token, more = '') => get(fixture.at(`ls/${query(path)}${more}`), token),
    setRules: (path, rules, childRules = null, applyToExisting = false) =>
      put(fixture.at('dir/rules/'), { path, rules, child_rules: childRules, apply_to_existing: applyToExisting }),
    begin: (path, bytes, token, more = {}) => {
      const size = typeof bytes === 'number' ? bytes : bytes.length
      return post(fixture.at('upload/'), { path, size, ...more }, token)
    },
    complete: (upload, token) => post(fixture.at(`upload/${upload}/complete/`), undefined, token),
    async upload(path, content, token) {
      const bytes = Buffer.from(content)
      const newUpload = await fixture.begin(path, bytes, token, { sha256: sha256(bytes) })
      if (newUpload.status !== 201) return newUpload
      const sent = await world.files.send(newUpload.body, bytes)
      if (sent !== 'stored') throw new Error(`the link is ${sent}`)
      return fixture.complete(newUpload.body.upload_id, token)
    },
    file: (path, token) => get(fixture.at(`file/${query(path)}`), token),
    download: (path, token) => get(fixture.at(`download/${query(path)}`), token),
    unlink: (path, token) => remove(fixture.at(`file/${query(path)}`), token),
    rmdir: (path, more = '', token) => remove(fixture.at(`dir/${query(path)}${more}`), token),
    details: async () => must(await get(`/api/bkt/${fixture.bucket}/`), 200),
  }
  return fixture
}
