import type { Script } from './scripted-network.ts';

/**
 * A network whose one feed is the test's, and all else the simulated network's.
 *
 * @param path the feed's, without its query
 * @param simulated the simulated network's address
 */
export function fedNetwork(path: string, simulated: string, feed: Script): Script {
  return (request, response) => {
    const { url = '' } = request;
    if (url.split('?')[0] === path) {
      feed(request, response);
      return;
    }
    void fetch(simulated + url)
      .then(async (answer) => {
        response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      })
      .catch(() => response.destroy());
  };
}
