import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'

test('systemd is told that the program is ready, and that it ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perch-supervised-'))
  const told = join(folder, 'told')
  const heard = () => readFile(told, 'utf8').catch(() => '')
  // Stands in for systemd's own.
  const notify = join(folder, 'systemd-notify')
  await writeFile(notify, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${told}\n`)
  await chmod(notify, 0o755)
  {
    await using program = runProgram('src/main.ts', {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      NOTIFY_SOCKET: '/run/perch-notify',
      DATABASE_URL: join(folder, 'perch.sqlite'),
    })
    await eventually(async () => (await heard()).includes('/run/perch-notify READY=1 STATUS='))
    program.type('/quit')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
    await eventually(async () => (await heard()).includes('STOPPING=1 STATUS=/quit'))
  }
  await rm(folder, { recursive: true })
})
