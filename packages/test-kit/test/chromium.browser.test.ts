import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '../src/chromium.ts';

describe('launchChromium', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Who is online</title>');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('starts a browser that loads a local page', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(await page.title()).toBe('Who is online');
    } finally {
      await browser.close();
    }
  });
});
