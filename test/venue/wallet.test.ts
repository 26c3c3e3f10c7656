import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseWallet, shortWallet } from '../../src/venue/wallet.ts'

/** The examples of https://eips.ethereum.org/EIPS/eip-55. */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

describe('an address is taken as people paste it', () => {
  test.each(CHECKSUMMED)('%s', (address) => {
    const parsed = { ok: true, wallet: address }
    expect(parseWallet(address)).toEqual(parsed)
    expect(parseWallet(`  ${address}\n`)).toEqual(parsed)
    expect(parseWallet(address.toLowerCase())).toEqual(parsed)
    expect(parseWallet(address.toUpperCase())).toEqual(parsed)
    expect(parseWallet(`0x${address.slice(2).toUpperCase()}`)).toEqual(parsed)
  })
})

describe('what is wrong is said in a sentence', () => {
  test.each([
    ['no 0x', '52908400098527886E0F7030069857D2E4169EE7', 'A wallet address starts with 0x.'],
    ['nothing', '', 'A wallet address starts with 0x.'],
    ['a name', 'vitalik.eth', 'A wallet address starts with 0x.'],
    [
      'a digit too few',
      '0x52908400098527886E0F7030069857D2E4169EE',
      '40 digits after the 0x; this one has 39.',
    ],
    ['a digit too many', '0x52908400098527886E0F7030069857D2E4169EE71', 'this one has 41.'],
    ['0x alone', '0x', 'this one has 0.'],
    ['a letter o', '0xo2908400098527886E0F7030069857D2E4169EE7', 'only the digits 0-9 and a-f'],
    ['a gap', '0x5290840009852788 6E0F7030069857D2E4169EE7', 'only the digits 0-9 and a-f'],
    ['0x twice', '0x0x908400098527886E0F7030069857D2E4169EE7', 'only the digits 0-9 and a-f'],
  ])('%s', (_what, text, why) => {
    expect(parseWallet(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  })

  test('a wrong checksum: a mistyped digit must not watch somebody else', () => {
    const [, , , , address = ''] = CHECKSUMMED
    const mistyped = `${address.slice(0, -1)}c`
    expect(parseWallet(address.replace('aA', 'Aa'))).toMatchObject({ ok: false })
    expect(parseWallet(mistyped)).toMatchObject({ ok: false, why: expect.stringContaining('checksum') })
  })
})

test('whatever is typed gets an owner or a sentence, and never throws', () => {
  const nearly = fc.stringMatching(/^0[xX][0-9a-fA-F]{38,42}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nearly), (text) => {
      const parsed = parseWallet(text)
      if (parsed.ok) expect(parseWallet(parsed.wallet)).toEqual(parsed)
      else expect(parsed.why).toMatch(/^[A-Z].*\.$/)
    }),
    { numRuns: 500 },
  )
})

test('any forty digits in one case are somebody’s address, always written the same way', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), (digits) => {
      const lower = parseWallet(`0x${digits}`)
      expect(lower).toMatchObject({ ok: true })
      expect(parseWallet(`0X${digits.toUpperCase()}`)).toEqual(lower)
    }),
  )
})

test('an address is shortened to its ends', () => {
  expect(shortWallet('0x52908400098527886E0F7030069857D2E4169EE7')).toBe('0x5290…9EE7')
})
