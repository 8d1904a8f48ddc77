// Given which revocations of operator keys are listed, when another one comes, then one key is left.

import { listRevocation, type OperatorKeyEvent, operatorRevocations } from '../../domain/operator-keys.ts'
import { given } from './given.ts'

const listed = (key: string): OperatorKeyEvent => ({ type: 'OperatorKeyRevocationListed', data: { key } })

describe('the list of revoked operator keys', () => {
  it('takes a key while another one is valid', () => {
    given(operatorRevocations)
      .when(listRevocation('sk_a', ['sk_b']))
      .then(listed('sk_a'))
    given(operatorRevocations, listed('sk_b'))
      .when(listRevocation('sk_a', ['sk_b', 'sk_c']))
      .then(listed('sk_a'))
  })

  it('takes a key once, even if it is the last one by now', () => {
    given(operatorRevocations, listed('sk_a')).when(listRevocation('sk_a', [])).then()
  })

  it('refuses the last key, and one whose others are all listed', () => {
    given(operatorRevocations).when(listRevocation('sk_a', [])).refused('conflict', 'last_operator_key')
    given(operatorRevocations, listed('sk_b'), listed('sk_c'))
      .when(listRevocation('sk_a', ['sk_b', 'sk_c']))
      .refused('conflict', 'last_operator_key')
  })
})
