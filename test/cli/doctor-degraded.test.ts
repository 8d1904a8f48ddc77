import { expect } from 'chai'
import { checkDegraded, servedClockWarning } from '../../cli/doctor-server.ts'

const NOTHING = new Set<string>()

describe('what doctor says of a degraded server', () => {
  it('is one warning for each component, except those that another check reports', () => {
    const degraded = new Map([
      ['clock', 'the clock is at …, 2 days behind'],
      ['files', '3 without their bytes'],
    ])
    const fix = 'Calls that do not need it work. docs/operations.md says what to do.'
    expect(checkDegraded(degraded, new Set(['clock']))).to.deep.equal([
      { name: 'server', state: 'warn', detail: 'files: 3 without their bytes', fix },
    ])
    expect(checkDegraded(degraded, new Set(['clock', 'files']))).to.deep.equal([])
  })

  it('names the components and where the reasons are if the admin port did not answer', () => {
    const found = checkDegraded(
      new Map([
        ['clock', null],
        ['files', null],
        ['views', null],
      ]),
      new Set(['clock']),
    )
    expect(found.map(({ detail }) => detail)).to.deep.equal(['degraded: files, views'])
    expect(found[0]?.fix).to.include('ADMIN_PORT')
  })

  it('has a warning of its clock with both times, or says where they are', () => {
    expect(servedClockWarning(new Map())).to.equal(null)
    expect(servedClockWarning(new Map([['clock', 'the clock is at …']]))).to.equal('the clock is at …')
    expect(servedClockWarning(new Map([['clock', null]]))).to.include('/health/ready on its ADMIN_PORT has both times')
    expect(checkDegraded(new Map(), NOTHING)).to.deep.equal([])
  })
})
