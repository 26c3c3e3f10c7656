import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import openStore from '../../../src/stores/journal/index.ts'
import { eventually } from '../../support/patience.ts'
import { cellUrl, sharedPostgres } from '../../support/postgres/shared.ts'
import { differences } from '../../support/postgres/tables.ts'
import { COMPILED } from '../../support/program.ts'
import { budget, createDice, SEED } from '../../support/seed.ts'
import { temporaryFolder } from '../../support/store.ts'

const KILLS = budget(20, 2)

/** Leads the cell in its argument, commits three inputs at a time, and says each number once it is kept. */
const COMMITTING = `
import { writeSync } from 'node:fs'
import { systemClock } from '${import.meta.resolve('../../../src/runtime/clock.ts')}'
import openStore from '${import.meta.resolve('../../../src/stores/journal/index.ts')}'
const [url, first] = process.argv.slice(-2)
const store = await openStore({ url, venues: ['sim'], clock: systemClock() })
for (let id = Number(first); ; id += 3)
  await Promise.all([id, id + 1, id + 2].map(async (number) => {
    await store.memory.commit([{ is: 'input', input: { platform: 'telegram', id: String(number) }, at: number }])
    writeSync(1, number + '\\n')
  }))
`

// A process is killed wherever it happens to be: before the journal, between the journal and the file, or after both.
test('killed at random moments, a leader loses nothing that it has said is kept, and its file goes on', async () => {
  const dice = createDice(SEED)
  const { url } = await sharedPostgres()
  const folder = temporaryFolder()
  const cell = `c${process.pid}-${SEED}`
  const files = ['a', 'b'].map((name) => join(folder, `${name}.sqlite`))
  const place = (index: number) => cellUrl(url, cell, files[index % 2] ?? '', '&lease=1')
  const kept = new Set<string>()

  // The two machines take turns: each goes on with the file that it left when it was killed.
  for (let life = 0; life < KILLS + 1; life++) {
    const words = [
      '--input-type=module-typescript',
      '--eval',
      COMMITTING,
      '--',
      place(life),
      String(life * 1e6),
    ]
    const child = spawn(process.execPath, words, {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const before = kept.size
    let rest = ''
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) kept.add(line)
    })
    const enough = 3 + dice.below(60)
    await eventually(() => kept.size - before >= enough)
    child.kill('SIGKILL')
    await once(child, 'close')
  }

  const last = await openStore({ url: place(0), venues: ['sim'], clock: systemClock() })
  const missing: string[] = []
  for (const id of kept) if (!(await last.memory.seen({ platform: 'telegram', id }))) missing.push(id)
  expect(missing).toEqual([])
  await last.admin.close()
  // The other one reads the rest, and holds the same.
  const other = await openStore({ url: place(1), venues: ['sim'], clock: systemClock() })
  await other.admin.close()
  const [a = '', b = ''] = files
  expect(differences(a, b)).toEqual([])
})
