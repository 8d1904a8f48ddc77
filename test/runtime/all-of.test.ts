// Values of which some are there already and others are awaited.

import { expect } from 'chai'
import { allOf, allOfInSlices, Failed, valueOrThrow } from '../../runtime/all-of.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'

describe('values that are awaited together', () => {
  it('are in their order, with Failed in the place of each that rejects', async () => {
    const error = new Error('lost')
    const values = await allOf([1, Promise.resolve(2), Promise.reject(error), 4])
    expect(values).to.deep.equal([1, 2, new Failed(error), 4])
    expect((values[2] as Failed).error).to.equal(error)
  })

  it('are the same list if all are there', async () => {
    const values = [1, 2]
    expect(await allOf(values)).to.equal(values)
  })

  it('may be made in time slices, of which an early one rejects before the last are made', async () => {
    const error = new Error('lost')
    const values = await allOfInSlices(
      new TimeSlices(),
      Array.from({ length: 200 }, (_, n) => n),
      (n) => (n === 0 ? Promise.reject(error) : n === 1 ? Promise.resolve(-1) : n),
    )
    expect(values.slice(0, 3)).to.deep.equal([new Failed(error), -1, 2])
    expect(values).to.have.length(200)
  })

  it('are given by valueOrThrow, which throws the error of one that rejected', () => {
    const error = new Error('lost')
    expect(valueOrThrow(3)).to.equal(3)
    expect(() => valueOrThrow(new Failed(error))).to.throw(error)
  })
})
