import { isIP } from 'node:net'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isPublicAddress } from '../../src/net/public-address.ts'

type Network = [start: bigint, bits: number]
const v4 = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
const v6Of = (groups: readonly number[]) => groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n)
const isIn = (address: bigint, width: number, [start, bits]: Network) =>
  address >> BigInt(width - bits) === start >> BigInt(width - bits)

/** The same registry, by arithmetic. */
const CLOSED_V4: Network[] = [
  ...([
    [v4('0.0.0.0'), 8],
    [v4('10.0.0.0'), 8],
    [v4('100.64.0.0'), 10],
    [v4('127.0.0.0'), 8],
  ] as Network[]),
  ...([
    [v4('169.254.0.0'), 16],
    [v4('172.16.0.0'), 12],
    [v4('192.0.0.0'), 24],
  ] as Network[]),
  ...([
    [v4('192.0.2.0'), 24],
    [v4('192.88.99.0'), 24],
    [v4('192.168.0.0'), 16],
  ] as Network[]),
  ...([
    [v4('198.18.0.0'), 15],
    [v4('198.51.100.0'), 24],
    [v4('203.0.113.0'), 24],
  ] as Network[]),
  ...([
    [v4('224.0.0.0'), 4],
    [v4('240.0.0.0'), 4],
  ] as Network[]),
]
const top = (...groups: number[]) => v6Of([...groups, ...Array<number>(8 - groups.length).fill(0)])
const OPEN_V6: Network = [top(0x2000), 3]
const CLOSED_V6: Network[] = [
  [top(0x2001), 23],
  [top(0x2001, 0xdb8), 32],
  [top(0x2002), 16],
  [top(0x3fff), 20],
]

const colons = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
const v6 = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
/** Near the borders of what is closed, where mistakes are. */
const nearV6 = fc
  .tuple(fc.constantFrom('2000', '2001', '2002', '1fff', '3fff', '4000', 'fc00', 'fe80', 'ff02', '0'), v6)
  .map(([first, rest]) => [Number.parseInt(first, 16), ...rest.slice(1)])
const sparseV6 = fc.array(fc.constantFrom(0, 0, 0, 1, 0xdb8, 0x2001, 0xffff), { minLength: 8, maxLength: 8 })
/** The longest run of zeros written as `::`, as addresses are written. */
const shortened = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1)

describe('an address is of the world', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(['::ffff:1.1.1.1', '::ffff:101:101', '64:ff9b::808:808'])(
    '%s, by what it stands for',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('the first and the last address of what is closed, and its neighbours', () => {
  test.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s to %s', (first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false])
  })

  test.each([
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
    ...['192.0.1.255', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
    ...['223.255.255.255', '2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '3fff:1000::'],
    ...['3ffe:ffff::'],
  ])('%s is outside', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('an address is of somebody’s own network, or of none', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
    ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::FFFF:10.0.0.1', '64:ff9b::7f00:1', '::127.0.0.1'],
    ...['2002:7f00:1::', '2001:0:7f00:1::', 'fe80::1%eth0', '64:ff9b:1::1', '5f00::1'],
    ...['::8.8.8.8', '::ffff:0:8.8.8.8'],
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each([
    '',
    'localhost',
    '1.1.1',
    '1.1.1.1.1',
    '01.1.1.1',
    '1.1.1.256',
    '0x7f.0.0.1',
    '2130706433',
    '1.1.1.1 ',
    ':::',
    '1::2::3',
    '2606::1::2',
    '2606:1:2:3::4:5:6:7',
    '2606:4700',
    '2606:4700:::1',
    'g::1',
  ])('“%s” is no address', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})

test('every IPv4 address is judged by the registry', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(address)).toBe(!CLOSED_V4.some((one) => isIn(v4(address), 32, one)))
    }),
    { numRuns: 2_000 },
  )
})

test('every IPv6 address is judged by the registry, however it is written', () => {
  fc.assert(
    fc.property(fc.oneof(v6, nearV6, sparseV6), (groups) => {
      const address = colons(groups)
      const carries = /^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/.test(address)
      fc.pre(!carries)
      const isWithin = (network: Network) => isIn(v6Of(groups), 128, network)
      const expected = isWithin(OPEN_V6) && !CLOSED_V6.some(isWithin)
      for (const text of [address, address.toUpperCase(), shortened(address)])
        expect(isPublicAddress(text)).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv4 address inside of an IPv6 one is judged as itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '64:ff9b::'), (inside, prefix) => {
      const expected = isPublicAddress(inside)
      expect(isPublicAddress(`${prefix}${inside}`)).toBe(expected)
      expect(isPublicAddress(shortened(`${prefix}${inside}`))).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
})

test('whatever is written, what is called public is an address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f.:%]{0,20}$/)), (text) => {
      expect(isPublicAddress(text) && isIP(text) === 0).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})
