// Passwords: hashed, checked, a bounded number at a time.

import { verify } from '@node-rs/argon2'
import { expect } from 'chai'
import { createPasswords, PASSWORD_PARAMETERS, PasswordsBusy } from '../../credentials/passwords.ts'

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

describe('passwords', () => {
  it('are hashed by Argon2id with OWASP’s minimum parameters', async () => {
    const hashed = await createPasswords().hash('a password', 'a')
    expect(hashed).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verify(hashed, 'a password')).to.equal(true)
    expect(PASSWORD_PARAMETERS).to.deep.equal({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  })

  it('match their own hash only, and never a missing hash', async () => {
    const passwords = createPasswords(CHEAP)
    const hashed = await passwords.hash('right', 'a')
    expect(await passwords.verify(hashed, 'right', 'a')).to.deep.equal({ fits: true, isStale: false })
    expect(await passwords.verify(hashed, 'wrong', 'a')).to.deep.equal({ fits: false, isStale: false })
    expect(await passwords.verify(null, 'nobody', 'a')).to.deep.equal({ fits: false, isStale: false })
  })

  it('still match a hash with other parameters, which is reported as stale', async () => {
    const hashed = await createPasswords({ ...CHEAP, timeCost: 2 }).hash('right', 'a')
    expect(await createPasswords(CHEAP).verify(hashed, 'right', 'a')).to.deep.equal({ fits: true, isStale: true })
  })

  it('are refused while too many wait, and accepted afterwards', async () => {
    const passwords = createPasswords(PASSWORD_PARAMETERS, 3)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => passwords.hash(`password ${n}`, 'a')))
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      ...Array(5).fill('fulfilled'),
      ...Array(3).fill('rejected'),
    ])
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).to.be.instanceOf(PasswordsBusy)
    expect(await passwords.hash('afterwards', 'a')).to.be.a('string')
  })
})
