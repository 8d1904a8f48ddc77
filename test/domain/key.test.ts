// Given what happened to a key, when a command comes, then these events follow.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { changePermissions, issueKey, type KeyEvent, type KeyIssuedData, key, revokeKey } from '../../domain/key.ts'
import { given, timeAt } from './given.ts'

const data: KeyIssuedData = {
  game: 'g1',
  name: 'server',
  kind: 'server',
  algorithm: 'hmac-sha256',
  permissions: ['lb:*:*', 'submit_for'],
  publicKey: null,
}
const issued: KeyEvent = { type: 'KeyIssued', data }
const revoked: KeyEvent = { type: 'KeyRevoked', data: {} }

const allow = () => {}

describe('a key', () => {
  it('is issued once', () => given(key).when(issueKey(data)).then(issued))

  it('has the issued data and is not revoked', () => {
    expect(given(key, issued).state()).to.deep.equal({ ...data, created: timeAt(0), revoked: false })
  })

  it('gets other permissions, while the same ones change nothing', () => {
    const changed: KeyEvent = { type: 'KeyPermissionsChanged', data: { permissions: ['submit_for'] } }
    given(key, issued)
      .when(changePermissions(['submit_for'], allow))
      .then(changed)
    given(key, issued)
      .when(changePermissions(['lb:*:*', 'submit_for'], allow))
      .then()
    expect(given(key, issued, changed).state()?.permissions).to.deep.equal(['submit_for'])
  })

  it('is revoked once, and revoking it again changes nothing', () => {
    given(key, issued).when(revokeKey).then(revoked)
    given(key, issued, revoked).when(revokeKey).then()
    expect(given(key, issued, revoked).state()?.revoked).to.equal(true)
  })

  it('refuses other permissions with 409 once it is revoked', () => {
    given(key, issued, revoked).when(changePermissions([], allow)).refused('conflict', 'key_revoked')
    given(key, issued, revoked).when(changePermissions(data.permissions, allow)).refused('conflict', 'key_revoked')
  })

  it('checks exactly the permissions that it does not have yet', () => {
    const asked: string[][] = []
    const wanted = ['submit_for', 'gm:g1:keys', 'score:*:*']
    const change = changePermissions(wanted, (added) => void asked.push([...added]))
    const { state } = given(key, issued)
    expect(change(state(), 0)).to.deep.equal([{ type: 'KeyPermissionsChanged', data: { permissions: wanted } }])
    expect(asked).to.deep.equal([['gm:g1:keys', 'score:*:*']])
  })

  it('keeps its permissions if one of the new ones must not be granted', () => {
    const refuse = () => {
      throw new Refusal('forbidden', 'permission_needed', 'Not this one.')
    }
    given(key, issued)
      .when(changePermissions(['gm:g1:keys'], refuse))
      .refused('forbidden', 'permission_needed')
    given(key, issued, revoked)
      .when(changePermissions(['gm:g1:keys'], refuse))
      .refused('conflict', 'key_revoked')
  })

  it('cannot be changed or revoked if it does not exist', () => {
    given(key).when(changePermissions([], allow)).refused('not_found', 'key_not_found')
    given(key).when(revokeKey).refused('not_found', 'key_not_found')
  })
})
