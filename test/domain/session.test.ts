// Given what happened to a session, when a command comes, then these events follow.

import { expect } from 'chai'
import { endSession, type SessionEvent, session, startSession } from '../../domain/session.ts'
import { given } from './given.ts'

const data = { player: 'p1', key: 'ck_a', permissions: ['lb:*:submit'], expires: '2026-12-21T07:05:01.123Z' }
const started: SessionEvent = { type: 'SessionStarted', data }
const ended: SessionEvent = { type: 'SessionEnded', data: {} }

describe('domain: a session', () => {
  it('is started once', () => {
    given(session).when(startSession(data)).then(started)
    given(session, started)
      .when(startSession({ ...data, player: 'p2' }))
      .then()
  })

  it('is ended once, and stays ended', () => {
    given(session, started).when(endSession).then(ended)
    given(session, started, ended).when(endSession).then()
    given(session, started, ended).when(startSession(data)).then()
    expect(given(session, started, ended).state()).to.deep.equal({ ...data, ended: true })
  })

  it('has nothing to end if it never started', () => given(session).when(endSession).then())
})
