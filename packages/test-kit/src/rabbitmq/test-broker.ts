import { ComposeProject } from '../docker/compose-project.ts';
import { docker, pauseContainer, unpauseContainer } from '../docker/docker.ts';

/** A RabbitMQ for a single suite, which may break it, configured as in the project's compose file. */
export class RabbitMqBroker {
  readonly url: string;
  readonly managementUrl: string;
  readonly #project: ComposeProject;
  readonly #container: string;

  private constructor(project: ComposeProject, container: string) {
    const { settings } = project;
    const authority = `admin:${settings['RABBITMQ_ADMIN_PASSWORD']}@127.0.0.1`;
    this.#project = project;
    this.#container = container;
    this.url = `amqp://${authority}:${settings['RABBITMQ_PORT']}`;
    this.managementUrl = `http://${authority}:${settings['RABBITMQ_MANAGEMENT_PORT']}`;
  }

  /** Resolves when it is healthy. */
  static async start(): Promise<RabbitMqBroker> {
    const project = await ComposeProject.create('lobbystats-broker');
    try {
      await project.up('rabbitmq');
      return new RabbitMqBroker(project, await project.compose('ps', '-q', 'rabbitmq'));
    } catch (error) {
      await project.remove();
      throw error;
    }
  }

  async restart(): Promise<void> {
    await docker(['restart', '-t', '30', this.#container]);
    await this.#waitUntilUp();
  }

  /** SIGKILL, then start. */
  async killAndStart(): Promise<void> {
    await docker(['kill', this.#container]);
    await docker(['start', this.#container]);
    await this.#waitUntilUp();
  }

  async pause(): Promise<void> {
    await pauseContainer(this.#container);
  }

  async unpause(): Promise<void> {
    await unpauseContainer(this.#container);
  }

  /** Runs `rabbitmqctl`. */
  async control(...args: string[]): Promise<void> {
    await docker(['exec', this.#container, 'rabbitmqctl', ...args]);
  }

  async remove(): Promise<void> {
    await this.#project.remove();
  }

  async #waitUntilUp(): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      try {
        await this.control('await_startup', '--timeout', '30');
        return;
      } catch (error) {
        // The container may not accept commands yet.
        if (performance.now() > deadline) throw error;
      }
    }
  }
}
