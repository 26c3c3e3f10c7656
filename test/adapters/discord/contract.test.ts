import { testAdapter } from '../../contracts/adapter.ts'
import { openDiscord } from './platform.ts'

testAdapter('Discord', openDiscord)
