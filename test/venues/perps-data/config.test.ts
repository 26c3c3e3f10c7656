import { describe, expect, test } from 'vitest'

import { isConfigured, schema } from '../../../src/venues/perps-data/config.ts'

const url = 'https://venue.example/api'
const complaints = (env: Record<string, string>) =>
  schema.safeParse(env).error?.issues.map((issue) => issue.message) ?? []

test('an address is all that must be set; the chain is then 8008', () => {
  expect(schema.parse({ VENUE_URL: url })).toEqual({ VENUE_URL: url, VENUE_CHAIN_ID: 8008 })
})

test('a chain and a key can be set', () => {
  const env = { VENUE_URL: ` ${url} `, VENUE_CHAIN_ID: '80008', VENUE_API_KEY: 'k-1' }
  expect(schema.parse(env)).toEqual({ VENUE_URL: url, VENUE_CHAIN_ID: 80_008, VENUE_API_KEY: 'k-1' })
})

test('the venue is meant as soon as an address is set', () => {
  expect(isConfigured({ VENUE_URL: url })).toBe(true)
  expect(isConfigured({ VENUE_URL: ' ' })).toBe(false)
  expect(isConfigured({ VENUE_API_KEY: 'k-1' })).toBe(false)
})

describe('a mistake is told in a sentence that names the variable and what to do', () => {
  test.each([
    [{}, /^Set VENUE_URL to the base URL of the venue/],
    [{ VENUE_URL: '' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'venue.example' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'ftp://venue.example' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'https://' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'https://me:secret@venue.example' }, /^VENUE_URL must have no user name/],
    [{ VENUE_URL: `${url}?key=secret` }, /^VENUE_URL must have no user name, password, query/],
    [{ VENUE_URL: url, VENUE_CHAIN_ID: '0x1f48' }, /^VENUE_CHAIN_ID must be a positive whole number/],
    [{ VENUE_URL: url, VENUE_CHAIN_ID: '-1' }, /^VENUE_CHAIN_ID must be a positive whole number/],
    [{ VENUE_URL: url, VENUE_CHAIN_ID: '0' }, /^VENUE_CHAIN_ID must be a positive whole number/],
    [{ VENUE_URL: url, VENUE_API_KEY: '' }, /^VENUE_API_KEY must be the key alone/],
    [{ VENUE_URL: url, VENUE_API_KEY: 'Bearer secret' }, /^VENUE_API_KEY must be the key alone/],
  ])('%j', (env, sentence) => {
    const [only, ...more] = complaints(env)
    expect(only).toMatch(sentence)
    expect(only).not.toContain('secret')
    expect(more).toEqual([])
  })
})
