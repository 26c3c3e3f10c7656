import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { ALICE, BOB } from '../support/bot.ts'
import { isOnJournal } from '../support/database-url.ts'
import { runProgram } from '../support/program.ts'
import { openStage } from '../support/stage.ts'

test.skipIf(isOnJournal)(
  'the bot goes on from a backup that was made while it ran, and everybody hears from when it knows what was',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'perch-backup-'))
    await using stage = await openStage()
    stage.market('BTC', { price: 130 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    const variables = { VENUE_URL: stage.url, DATABASE_URL: join(folder, 'perch.sqlite') }
    const says = async (script: string) => {
      await using command = runProgram(script, variables)
      const { code } = await command.ends()
      expect(code, command.log()).toBe(0)
      return command.output()
    }
    {
      await using program = runProgram('src/main.ts', variables)
      program.type(`/watch ${ALICE} before`)
      await program.prints('✓ Watching before')
      expect(await says('src/start/backup-cli.ts')).toMatch(
        /^\S+backups\/perch-\w+\.sqlite, [\d.]+ MB: whole, and checked\.\n$/,
      )
      program.type(`/watch ${BOB} after`)
      await program.prints('✓ Watching after')
      program.type('/quit')
      await program.ends()
    }
    expect(await says('src/start/restore-cli.ts')).toMatch(
      /^Restored \S+backups\/perch-\w+\.sqlite: all that was kept until [^\n]+\nWhat was there before is \S+ now\.\n/,
    )
    await using program = runProgram('src/main.ts', variables)
    await program.prints('I was restored from a backup')
    program.type('/wallets')
    await program.prints('1 wallet')
    expect(program.output()).toContain('before')
    await rm(folder, { recursive: true })
  },
)

describe('whoever asks for more than a file is told what there is, and nothing is made or replaced', () => {
  test.each([
    ['backup', 'src/start/backup-cli.ts', 'No backup was made', ['--help']],
    ['backup', 'src/start/backup-cli.ts', 'No backup was made', ['one.sqlite', 'two.sqlite']],
    ['restore', 'src/start/restore-cli.ts', 'Nothing was restored', ['--help']],
    ['restore', 'src/start/restore-cli.ts', 'Nothing was restored', ['-f', 'one.sqlite']],
  ])('npm run %s: %s', async (name, script, nothing, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'perch-backup-'))
    await using command = runProgram(script, { DATABASE_URL: join(folder, 'perch.sqlite') }, words)
    expect(await command.ends()).toEqual({ code: 1, signal: null })
    const what = `npm run ${name}`
    expect(command.log()).toBe(
      `${nothing}: I do not understand “${words.join(' ')}”. Say ${what}, or ${what} -- <file>.\n`,
    )
    await rm(folder, { recursive: true })
  })
})
