// nchan: publish/subscribe in nginx.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram, startProgram, type Server } from './peer.ts'

/** Starts nginx with one worker; undefined when it or nchan is not installed. */
export async function startNchan(): Promise<Server | undefined> {
  const nginx = findProgram('nginx')
  if (nginx === undefined) return undefined
  const modules = /--modules-path=(\S+)/.exec(spawnSync(nginx, ['-V'], { encoding: 'utf8' }).stderr)?.[1] ?? ''
  const nchan = join(modules, 'ngx_nchan_module.so')
  if (!existsSync(nchan)) return undefined
  return await startProgram('nginx', async (directory, port) => {
    const file = join(directory, 'nginx.conf')
    await writeFile(file, settings(nchan, port))
    return { command: nginx, args: ['-p', directory, '-c', file, '-e', 'stderr'] }
  })
}

/** A message is kept until the next one comes: without any, one that comes while another is sent could be lost. */
const settings = (nchan: string, port: number): string => `
load_module ${nchan};
# Means something only where root starts it: its own folder is closed to others.
user root;
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events { worker_connections 16384; }
http {
  access_log off;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${what};`).join(' ')}
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location ~ ^/chats/(.+)$ {
      nchan_pubsub http websocket;
      nchan_channel_id $1;
      nchan_message_buffer_length 1;
      nchan_subscriber_first_message newest;
    }
  }
}
`
