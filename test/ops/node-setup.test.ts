import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { privateFolder } from '../../src/ops/node-setup.js'
import { temporaryFolder } from '../support/store.ts'

const modeOf = (folder: string) => statSync(folder).mode & 0o777

test('compiled code is kept where nobody else can write, whatever the umask', () => {
  const folder = join(temporaryFolder(), 'data', 'compiled')
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  expect(privateFolder(folder)).toBe(folder)
  expect(modeOf(folder)).toBe(0o700)
  expect(modeOf(join(folder, '..'))).toBe(0o700)
})

test('in a folder that others could write to, nothing is left of what is there', () => {
  const folder = join(temporaryFolder(), 'compiled')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'planted'), 'code')
  expect(privateFolder(folder)).toBe(folder)
  expect([modeOf(folder), existsSync(join(folder, 'planted'))]).toEqual([0o700, false])
})

test('one that others could only read is made private, and stays as it is', () => {
  const folder = join(temporaryFolder(), 'compiled')
  mkdirSync(folder, { mode: 0o755 })
  writeFileSync(join(folder, 'own'), 'code')
  privateFolder(folder)
  expect([modeOf(folder), existsSync(join(folder, 'own'))]).toEqual([0o700, true])
})

test.each<[string, (folder: string) => void]>([
  ['leads elsewhere', (folder) => symlinkSync(temporaryFolder(), folder)],
  ['is a file', (folder) => writeFileSync(folder, '')],
])('where the folder %s, the program starts without it', (_how, happens) => {
  const folder = join(temporaryFolder(), 'compiled')
  happens(folder)
  expect(privateFolder(folder)).toBeNull()
})
