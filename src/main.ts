await import('./preload.js')
const { default: run } = await import('./start/program.ts')
await run()
