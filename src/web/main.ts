// The entry.
import { startApp } from './app.tsx'

await startApp()
